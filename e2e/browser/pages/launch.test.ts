import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
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
      await choose(slot.getByRole("combobox", { name: `Agent ${place}` }), "scripted");
      await choose(slot.getByRole("combobox", { name: "Mode", exact: true }), "full-auto");
    }
    await form.getByRole("textbox", { name: "Message", exact: true }).fill("[[edit]]");
    await form.getByRole("button", { name: "Launch 3 agents" }).click();
    // It opens as live transcripts side by side.
    await page.waitForURL(/\/s\/ses_[^+]+\+ses_[^+]+\+ses_/);
    const tiles = page.locator("[data-tile]");
    await tiles.nth(2).getByRole("textbox", { name: "Message", exact: true }).waitFor();
    await tiles.nth(2).getByRole("log", { name: "Transcript" }).getByText("[[edit]]").first().waitFor();
    await takePictures(page, "launch-tiles");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.waitForURL(/\/launches\/lau_/);
    const table = page.getByRole("table");
    await table.getByText("+2").nth(2).waitFor();
    expect(git("status", "--porcelain")).toBe("");
    await page
      .getByRole("list", { name: "Files" })
      .getByRole("button", { name: /edit\.txt/ })
      .waitFor();
    // All three made the same change: it is shown once.
    await page.getByRole("region", { name: "Same in all lanes" }).getByText("FIRST line").waitFor();
    expect(await page.getByText("FIRST line").count()).toBe(1);
    const id = page.url().split("/launches/")[1] ?? "";
    const { slots } = await bench.client.call("getLaunch", { params: { id } });
    const first = slots[0]?.name ?? "";
    await table.getByRole("button", { name: `Land ${first}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Land ${first}` });
    // The cell of the table is right-aligned; the dialog is not.
    expect(await dialog.evaluate((one) => getComputedStyle(one).textAlign)).toBe("left");
    await takePictures(page, "launch-land");
    await dialog.getByRole("button", { name: "Land on main" }).click();
    await dialog.waitFor({ state: "detached" });
    await table.getByText("Landed", { exact: true }).waitFor();
    await takePictures(page, "launch");
    expect(git("show", "main:edit.txt")).toBe("FIRST line\nsecond line");
    for (const { session } of slots.slice(1)) {
      await eventually(`${session} is notified`, async () => {
        const { events } = await bench.client.sessions.events(session, { limit: 1000 });
        return events.some((event) => event.type === "notice" && event.data.text.includes("main"));
      });
    }
    await page.goto(`${bench.url}/s/${slots[1]?.session}`);
    await page.getByRole("link", { name: /^2 of 3 in / }).click();
    await page.waitForURL(`**/launches/${id}`);
    await page.getByRole("button", { name: "Clean up 2 other lanes…" }).click();
    const cleanUp = page.getByRole("dialog", { name: "Clean up lanes" });
    await takePictures(page, "launch-clean-up");
    await cleanUp.getByRole("button", { name: "Remove 2 lanes" }).click();
    const present = async () => {
      const { lanes } = await bench.client.call("listLanes", { query: {} });
      return slots.filter(({ lane }) => lanes.some((one) => one.id === lane)).map(({ lane }) => lane);
    };
    await eventually("the other lanes are gone", async () => (await present()).length === 1);
    expect(await present()).toEqual([slots[0]?.lane]);
    await page.getByRole("button", { name: "Clean up the lane…" }).click();
    await cleanUp.getByRole("button", { name: "Remove 1 lane" }).click();
    await eventually("no lane is left", async () => (await present()).length === 0);
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Launches" }).click();
    await page.getByRole("region", { name: "Launches" }).getByRole("list", { name: "Agents" }).waitFor();
    await takePictures(page, "launches");
    await page.goto(bench.url);
    const card = page.getByRole("region", { name: "Board", exact: true }).getByRole("article", { name: /^Launch / });
    await card.getByRole("link").nth(3).waitFor();
    await takePictures(page, "launch-card");
    await card.getByRole("link", { name: /side by side$/ }).click();
    await page.locator("[data-tile]").nth(2).getByRole("log", { name: "Transcript" }).waitFor();
    await page.close();
  });

  it("compares three different changes at 1440 px without scrolling", async () => {
    const slots = [{ agent: "scripted", mode: "full-auto" as const, count: 3 }];
    const { id } = await bench.client.launches.create({ prompt: "[[edit]]", cwd: bench.folder, slots, name: "differ" });
    await eventually("it has settled", async () => (await bench.client.launches.get(id)).state === "settled");
    const launch = await bench.client.launches.get(id);
    for (const [index, { lane }] of launch.slots.entries()) {
      const { path } = await bench.client.lanes.get(lane);
      writeFileSync(join(path, "README.md"), `# Rates ${index}\n\n${"A long line of text. ".repeat(20)}${index}\n`);
    }
    const page = await bench.page(`/launches/${id}`);
    await page
      .getByRole("list", { name: "Files" })
      .getByRole("button", { name: /README/ })
      .click();
    const columns = page.getByRole("tabpanel").getByRole("region", { name: /^differ/ });
    await columns.nth(2).getByText("Rates 2").waitFor();
    for (const width of [1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const edges = await columns.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(edges).toHaveLength(3);
      expect(Math.max(...edges)).toBeLessThanOrEqual(width);
      const scrolls = await columns.first().evaluate(({ parentElement: row }) => row!.scrollWidth > row!.clientWidth);
      expect(scrolls).toBe(false);
    }
    await takePictures(page, "compare");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await listViolations(page, "main")).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.close();
  });

  it("that a limit holds shows until when, on its page and in the list of sessions", async () => {
    const prompt = "[[refuse:rate_limit:Try again in 3600s.]]";
    const slots = [{ agent: "scripted", count: 2 }];
    const { id } = await bench.client.launches.create({ prompt, cwd: bench.folder, slots, name: "held" });
    await eventually("it is held", async () => {
      const launch = await bench.client.launches.get(id);
      return launch.slots.some(({ status }) => status?.group === "held" && status.until !== undefined);
    });
    const page = await bench.page(`/launches/${id}`);
    await page.getByText(/of 2 held\./).waitFor();
    await page
      .getByText(/Held · until/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Try now" }).first().waitFor();
    await takePictures(page, "launch-held");
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
