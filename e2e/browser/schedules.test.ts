import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../wait.ts";
import { CHROMIUM } from "./chromium.ts";
import { useWorkbench } from "./use-workbench.ts";
import type { Workbench } from "./workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

describe.skipIf(!CHROMIUM.met)("messages that are sent later", needs(CHROMIUM), () => {
  it("are scheduled beside the composer, paused, sent now and removed", async () => {
    const { id } = await bench.session("[[text]]", { title: "Later" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[text]] and look again");
    await page.getByRole("button", { name: "Schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Send later" });
    expect(await dialog.getByRole("textbox", { name: "What" }).inputValue()).toBe("[[text]] and look again");
    await dialog.getByRole("combobox", { name: "When" }).selectOption("every");
    await dialog.getByRole("textbox", { name: "How often" }).fill("2h");
    await dialog.getByRole("button", { name: "Schedule it" }).click();
    await dialog.waitFor({ state: "detached" });
    const list = page.getByRole("region", { name: "Scheduled messages" });
    await list.getByText("every 2 hours").waitFor();
    expect(await page.getByRole("textbox", { name: "Message", exact: true }).inputValue()).toBe("");
    await list.getByRole("button", { name: "Pause" }).click();
    await list.getByText("paused").waitFor();
    await list.getByRole("button", { name: /^Deliver .* now$/ }).click();
    await eventually("it ran", async () => (await bench.client.sessions.get(id)).turns === 2);
    await bench.waitForState(id, "idle");
    await list.getByRole("button", { name: "Remove the schedule" }).click();
    await list.waitFor({ state: "detached" });
    expect(await bench.client.schedules.list(id)).toEqual([]);
    await page.close();
  });
});
