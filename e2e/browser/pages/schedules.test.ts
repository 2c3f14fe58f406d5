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

describe.skipIf(!CHROMIUM.met)("scheduled messages", needs(CHROMIUM), () => {
  it("are created from the composer, paused, sent now and removed", async () => {
    const { id } = await bench.session("[[text]]", { title: "Later" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[text]] and look again");
    await page.getByRole("button", { name: "Schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Send later" });
    expect(await dialog.getByRole("textbox", { name: "Scheduled message" }).inputValue()).toBe(
      "[[text]] and look again",
    );
    await dialog.getByRole("combobox", { name: "When" }).selectOption("every");
    await dialog.getByRole("textbox", { name: "Interval" }).fill("2h");
    await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const list = page.getByRole("region", { name: "Scheduled messages" });
    await list.getByText("Every 2 hours").waitFor();
    expect(await page.getByRole("textbox", { name: "Message", exact: true }).inputValue()).toBe("");
    await list.getByRole("button", { name: "Pause" }).click();
    await list.getByText("Paused").waitFor();
    await list.getByRole("button", { name: /^Send .* now$/ }).click();
    await eventually("it ran", async () => (await bench.client.sessions.get(id)).turns === 2);
    await bench.waitForState(id, "idle");
    await list.getByRole("button", { name: "Remove schedule" }).click();
    await list.waitFor({ state: "detached" });
    expect(await bench.client.schedules.list(id)).toEqual([]);
    await page.close();
  });
});
