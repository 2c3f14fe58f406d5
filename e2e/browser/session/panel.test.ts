import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { panel, panelTab, showTab } from "../workbench/panel.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

async function openSession(
  prompt: string,
  options: Parameters<Workbench["page"]>[1] = {},
  mode = "full-auto" as const,
) {
  const session = await bench.session(prompt, { mode });
  await bench.waitForState(session.id, "idle", "waiting");
  const page = await bench.page(`/s/${session.id}`, options);
  await page.getByRole("log", { name: "Transcript" }).waitFor();
  return { page, id: session.id };
}

const TABS = ["Changes", "Plan", "Tasks", "Preview", "Terminal"];

describe.skipIf(!CHROMIUM.met)("the panel of a session", needs(CHROMIUM), () => {
  it("opens by keyboard, moves between its tabs by keyboard, and returns the focus", async () => {
    const { page } = await openSession("[[text]] hello");
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await message.focus();
    await page.keyboard.press("Control+j");
    await panel(page).waitFor();
    expect(await panel(page).getByRole("tablist", { name: "Panel" }).getByRole("tab").allTextContents()).toEqual(TABS);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await eventually("the tab has the focus", async () => (await focused()) === "Changes");
    for (const name of ["Plan", "Tasks", "Preview", "Terminal", "Changes"]) {
      await page.keyboard.press("ArrowRight");
      await panel(page).getByRole("tabpanel", { name, exact: true }).waitFor();
      expect(await focused()).toBe(name);
      expect(await panelTab(page, name).getAttribute("aria-selected")).toBe("true");
    }
    await page.keyboard.press("End");
    expect(await focused()).toBe("Terminal");
    await page.keyboard.press("Control+j");
    await panel(page).waitFor({ state: "detached" });
    expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+Backquote");
    await panel(page).getByRole("tabpanel", { name: "Terminal", exact: true }).waitFor();
  });

  it("is resized by pointer and keyboard, and its width, state and tab survive a reload", async () => {
    const { page } = await openSession("[[text]] hello");
    await showTab(page, "Plan");
    const width = async () => Math.round((await panel(page).boundingBox())?.width ?? 0);
    const before = await width();
    const handle = page.getByRole("separator", { name: "Panel width" });
    await handle.focus();
    await page.keyboard.press("ArrowLeft");
    await eventually("it is wider", async () => (await width()) === before + 24);
    const box = await handle.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 1, 300);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 61, 300, { steps: 5 });
    await page.mouse.up();
    await eventually("it is narrower", async () => (await width()) < before);
    const chosen = await width();
    expect(Number(await handle.getAttribute("aria-valuenow"))).toBe(chosen);
    await page.reload();
    await panel(page).getByRole("tabpanel", { name: "Plan", exact: true }).waitFor();
    expect(await width()).toBe(chosen);
    await page.getByRole("button", { name: "Close panel" }).click();
    await page.reload();
    await page.getByRole("log", { name: "Transcript" }).waitFor();
    expect(await panel(page).count()).toBe(0);
  });

  it("is a sheet over the whole screen of a phone, by touch", async () => {
    const { page } = await openSession("[[todo]] go", { viewport: { width: 390, height: 844 }, touch: true });
    for (const name of ["Changes", "Plan", "Tasks", "Preview", "Terminal"] as const) {
      await showTab(page, name, { touch: true });
      expect(await panel(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      await page.waitForTimeout(300);
      expect(await listViolations(page, "aside")).toEqual([]);
    }
    await page.getByRole("button", { name: "Close panel" }).tap();
    await panel(page).waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Message", exact: true }).tap();
  });

  it("has no accessibility violations in any tab, light and dark", async () => {
    const { page } = await openSession("[[todo]] go");
    for (const name of ["Changes", "Plan", "Tasks", "Preview", "Terminal"] as const) {
      await showTab(page, name);
      await page.waitForTimeout(500);
      await takePictures(page, `panel-${name.toLowerCase()}`);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await listViolations(page, "aside")).toEqual([]);
      }
    }
  });

  it("offers the choices of a plan in place, and shows the plan afterwards", async () => {
    const session = await bench.session("[[plan]] go", { mode: "plan" });
    await bench.waitForState(session.id, "waiting");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Plan");
    expect(await panelTab(page, "Plan").getAttribute("title")).toBe("1 pending plan");
    const card = panel(page).getByRole("group", { name: "Go ahead with this plan?" });
    await card.getByText("do it").waitFor();
    const { inputs } = await bench.client.sessions.get(session.id);
    const offered = inputs[0]?.options.filter(({ effect }) => effect !== "allow_session") ?? [];
    expect(await card.getByRole("button").allTextContents()).toEqual(offered.map(({ label }) => label));
    expect(await listViolations(page, "aside")).toEqual([]);
    await card.getByRole("textbox", { name: "Feedback to the agent" }).fill("Add a test.");
    await card.getByRole("button", { name: "Deny", exact: true }).click();
    await bench.waitForState(session.id, "idle");
    const { events } = await bench.client.sessions.events(session.id, { limit: 1000 });
    expect(events.find(({ type }) => type === "input.resolved")?.data).toMatchObject({ decision: "deny" });
    await bench.client.sessions.send(session.id, { text: "[[plan]] again" });
    await bench.waitForState(session.id, "waiting");
    await card.getByRole("button", { name: "Allow", exact: true }).click();
    await bench.waitForState(session.id, "idle");
    await card.waitFor({ state: "detached" });
    await panel(page).getByRole("region", { name: "Last plan" }).getByText("do it").waitFor();
  });

  it("shows the steps of the agent as they change", async () => {
    const session = await bench.session("[[todo]] go");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await showTab(page, "Plan");
    const steps = panel(page).getByRole("region", { name: "Steps" });
    await steps.getByText("step A").waitFor();
    await steps.getByRole("img", { name: "In progress" }).waitFor();
    await bench.client.sessions.send(session.id, { text: "a demo, please" });
    await steps.getByText("Leave a note for the team").waitFor();
  });
});
