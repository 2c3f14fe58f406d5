import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, writeFakeAgent } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLoginAgent } from "../../../packages/runtime/src/terminals/login-agent.fake.ts";
import { eventually } from "../../harness/wait.ts";
import { chosenValue, pickerOptions } from "../workbench/choose.ts";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { listViolations } from "../workbench/violations.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
let programs: string;
beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  programs = mkdtempSync(join(realpathSync(tmpdir()), "gantry-programs-"));
  bench = await Workbench.open({
    GANTRY_CLAUDE_BIN: writeFakeAgent({ dir: programs, dialect: "claude", pace: 1 }),
    GANTRY_GEMINI_BIN: writeLoginAgent(programs, "gemini"),
  });
}, 240_000);
afterAll(async () => {
  await bench?.close();
  if (programs) rmSync(programs, { recursive: true, force: true });
});

const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const filter = (page: Page) => page.getByRole("combobox", { name: "Filter", exact: true });

async function openForm(options: Parameters<Workbench["page"]>[1] = {}): Promise<Page> {
  const page = await bench.page("/new", options);
  await eventually("all agents are known", async () => {
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    return (await chosenValue(combobox(page, "Agent"))) !== "";
  });
  return page;
}

describe.skipIf(!CHROMIUM.met)("the picker of agent, model, effort and mode", needs(CHROMIUM), () => {
  it("lists agents that are ready first and shows why the others cannot be used", async () => {
    const page = await openForm();
    await combobox(page, "Agent").click();
    await pickerOptions(page).filter({ hasText: "Log in to Gemini CLI…" }).waitFor();
    const texts = await pickerOptions(page).allTextContents();
    const at = (text: string) => texts.findIndex((option) => option.startsWith(text));
    expect(at("Claude Code")).toBeLessThan(at("Gemini CLI"));
    expect(at("Gemini CLI")).toBeLessThan(texts.findIndex((option) => /Install: /.test(option)));
    expect(texts.some((text) => text.includes("Default (Default"))).toBe(false);
    expect(await page.locator("form select").count()).toBe(1);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "picker-agents");
    await page.context().close();
  });

  it("is searched and left by keyboard, and the focus returns to its combobox", async () => {
    const page = await openForm();
    await combobox(page, "Agent").focus();
    await page.keyboard.type("claud");
    await expect.poll(() => filter(page).inputValue()).toBe("claud");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "Choose: Model" }).waitFor();
    await page.keyboard.type("opus");
    await page.keyboard.press("Enter");
    expect(await Promise.all([chosenValue(combobox(page, "Agent")), chosenValue(combobox(page, "Model"))])).toEqual([
      "claude",
      "opus",
    ]);
    expect(await combobox(page, "Agent").evaluate((element) => element === document.activeElement)).toBe(true);
    await combobox(page, "Mode").press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("dialog", { name: "Choose: Effort" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".picker:popover-open").waitFor({ state: "detached" });
    expect(await chosenValue(combobox(page, "Mode"))).toBe("ask");
    await page.context().close();
  });

  it("finds a model of any agent and chooses both", async () => {
    const page = await openForm();
    await combobox(page, "Agent").click();
    await filter(page).fill("mini");
    await pickerOptions(page).filter({ hasText: "Scripted agent › " }).first().click();
    expect(await chosenValue(combobox(page, "Agent"))).toBe("scripted");
    expect(await chosenValue(combobox(page, "Model"))).toBe("scripted-mini");
    await page.context().close();
  });

  it("names the active option for screen readers", async () => {
    const page = await openForm();
    await combobox(page, "Mode").click();
    expect(await combobox(page, "Mode").getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    const active = await filter(page).getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain("Auto-edit");
    await expect
      .poll(() => pickerOptions(page).and(page.locator("[aria-selected=true]")).textContent())
      .toContain("Ask");
    await page.context().close();
  });

  it("is a sheet with large targets on a touch screen", async () => {
    const page = await openForm({ touch: true, viewport: { width: 390, height: 844 } });
    await combobox(page, "Model").tap();
    const sheet = await page.locator(".picker:popover-open").boundingBox();
    expect(sheet).toMatchObject({ x: 0, width: 390 });
    for (const option of await pickerOptions(page).all())
      expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "picker-touch");
    await page.getByRole("navigation", { name: "Settings" }).getByRole("button", { name: "Mode", exact: true }).tap();
    await pickerOptions(page).filter({ hasText: "Plan" }).tap();
    expect(await chosenValue(combobox(page, "Mode"))).toBe("plan");
    await page.context().close();
  });

  it("logs an agent in where the user is, then chooses it", async () => {
    const page = await openForm();
    await combobox(page, "Agent").click();
    await pickerOptions(page).filter({ hasText: "Gemini CLI" }).click();
    const dialog = page.getByRole("dialog", { name: "Log in to Gemini CLI" });
    const screen = async () => (await dialog.locator(".xterm-rows > div").allInnerTexts()).join("");
    await eventually("the program asks", async () => (await screen()).includes("Word?"));
    await takePictures(page, "login-in-place");
    await page.keyboard.type("sesame\n");
    await dialog.waitFor({ state: "detached", timeout: 60_000 });
    expect(page.url()).toContain("/new");
    await expect.poll(() => chosenValue(combobox(page, "Agent"))).toBe("gemini");
    await page.context().close();
  });
});
