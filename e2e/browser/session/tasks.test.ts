import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { panel, panelTab, showTab } from "../workbench/panel.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

describe.skipIf(!CHROMIUM.met)("the tasks of a session", needs(CHROMIUM), () => {
  it("are listed while they run, counted on the button, and stopped one by one", async () => {
    const session = await bench.session("[[background:300]] go");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Tasks");
    expect(await panelTab(page, "Tasks").getAttribute("title")).toBe("1 running task");
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
    await eventually("no task is counted", async () => (await page.locator("[data-count]").count()) === 0);
    await eventually("the end of the task", async () => {
      const [task] = await bench.client.tasks.list(session.id);
      return task?.status === "stopped";
    });
  });

  it("show their output, and follow it while they run", async () => {
    const script = join(bench.home, "work.sh");
    writeFileSync(script, "echo the first line; until [ -e go ]; do sleep 0.1; done; echo the last line; sleep 300");
    const session = await bench.session(`[[backgroundscript:${script}]] go`);
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Tasks");
    await panel(page)
      .getByRole("button", { name: `Output of sh ${script}` })
      .click();
    const output = panel(page).getByRole("region", { name: `Output of sh ${script}` });
    await output.getByText("the first line").waitFor();
    writeFileSync(join(bench.folder, "go"), "");
    await output.getByText("the last line").waitFor();
    expect(await listViolations(page, "aside")).toEqual([]);
    await panel(page)
      .getByRole("button", { name: `Stop sh ${script}` })
      .click();
    await panel(page).getByText("Stopped").waitFor();
    await output.getByText("the last line").waitFor();
  });

  it("have an empty state, and the list fits a phone", async () => {
    const session = await bench.session("[[text]]");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await showTab(page, "Tasks");
    await panel(page).getByText("Commands and subagents that run in the background appear here.").waitFor();
    const box = await panel(page).boundingBox();
    expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await page.getByRole("button", { name: "Close panel" }).click();
    await eventually("the list is closed", async () => (await panel(page).count()) === 0);
  });
});
