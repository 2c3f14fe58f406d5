import { execFileSync } from "node:child_process";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder, encoding: "utf8" }).trim();

describe.skipIf(!CHROMIUM.met)("a launch", needs(CHROMIUM), () => {
  it("sends one prompt to several agents, shows them side by side, and lands one", async () => {
    for (const [key, value] of Object.entries({ "user.name": "Test", "user.email": "test@localhost" }))
      git("config", key, value);
    await bench.session("[[text]]");
    const page = await bench.page("/launch");
    const form = page.getByRole("form", { name: "Launch" });
    await form.getByRole("button", { name: "Add agent" }).click();
    for (const place of [1, 2, 3]) {
      const slot = form.getByRole("listitem", { name: `Agent ${place}` });
      await slot.getByRole("combobox", { name: `Agent ${place}` }).selectOption("scripted");
      await slot.getByRole("combobox", { name: "Mode", exact: true }).selectOption("full-auto");
    }
    await form.getByRole("textbox", { name: "Message", exact: true }).fill("[[edit]]");
    await form.getByRole("button", { name: "Launch 3 agents" }).click();
    await page.waitForURL(/\/launches\/lau_/);
    const table = page.getByRole("table");
    await table.getByText("+2").nth(2).waitFor();
    expect(git("status", "--porcelain")).toBe("");
    await page
      .getByRole("list", { name: "Files" })
      .getByRole("button", { name: /edit\.txt/ })
      .waitFor();
    expect(await page.getByText("FIRST line").count()).toBe(3);
    const id = page.url().split("/launches/")[1] ?? "";
    const { slots } = await bench.client.call("getLaunch", { params: { id } });
    const first = slots[0]?.name ?? "";
    await table.getByRole("button", { name: `Land ${first}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Land ${first}` });
    await dialog.getByRole("button", { name: "Land on main" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(git("show", "main:edit.txt")).toBe("FIRST line\nsecond line");
    for (const { session } of slots.slice(1)) {
      await eventually(`${session} is notified`, async () => {
        const { events } = await bench.client.sessions.events(session, { limit: 1000 });
        return events.some((event) => event.type === "notice" && event.data.text.includes("main"));
      });
    }
    await page.close();
  });

  it("in a folder outside a repository is refused in the form and creates nothing", async () => {
    await bench.client.sessions.create({ agent: "scripted", cwd: "/", prompt: "[[text]]" });
    const page = await bench.page("/launch");
    const form = page.getByRole("form", { name: "Launch" });
    await form.getByRole("textbox", { name: "Message", exact: true }).fill("do it");
    await form.getByRole("button", { name: "Launch 2 agents" }).click();
    await form.getByRole("alert").getByText("is not in a git repository").first().waitFor();
    const { launches } = await bench.client.call("listLaunches", {});
    expect(launches.filter(({ prompt }) => prompt === "do it")).toEqual([]);
    await page.close();
  });
});
