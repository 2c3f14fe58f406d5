import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const panel = (page: Page) => page.getByRole("complementary", { name: "Tasks" });

describe.skipIf(!CHROMIUM.met)("the tasks of a session", needs(CHROMIUM), () => {
  it("are listed while they run, counted on the button, and stopped one by one", async () => {
    const session = await bench.session("[[background:300]] go");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await page.getByRole("button", { name: "Tasks (1 running)" }).click();
    const group = panel(page).getByRole("region", { name: "Background" });
    await group.getByText("sleep 300").waitFor();
    await group.getByText("Running").waitFor();
    const elapsed = group.getByText(/^\d+(\.\d)? s$/);
    await elapsed.waitFor();
    const before = await elapsed.textContent();
    await eventually("the time of the task continues", async () => (await elapsed.textContent()) !== before);
    await group.getByRole("button", { name: "Stop sleep 300" }).click();
    await group.getByText("Stopped").waitFor();
    await group.getByText(/after \d/).waitFor();
    await page.getByRole("button", { name: "Tasks", exact: true }).waitFor();
    await eventually("the end of the task", async () => {
      const [task] = await bench.client.tasks.list(session.id);
      return task?.status === "stopped";
    });
  });

  it("have an empty state, and the list fits a phone", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Tasks", exact: true }).click();
    await panel(page).getByText("Commands and subagents that run in the background appear here.").waitFor();
    const box = await panel(page).boundingBox();
    expect(box?.width).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Close tasks" }).click();
    await eventually("the list is closed", async () => (await panel(page).count()) === 0);
  });
});
