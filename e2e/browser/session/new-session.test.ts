import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, writeFakeAgent } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, pickerOptions } from "../workbench/choose.ts";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
let programs: string;

beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  programs = mkdtempSync(join(realpathSync(tmpdir()), "gantry-programs-"));
  bench = await Workbench.open({ GANTRY_CLAUDE_BIN: writeFakeAgent({ dir: programs, dialect: "claude", pace: 1 }) });
  const commands = join(bench.home, ".claude", "commands");
  mkdirSync(commands, { recursive: true });
  writeFileSync(join(commands, "deploy.md"), "---\ndescription: Deploys the parcel service\n---\nDeploy it.\n");
  const skill = join(bench.home, ".claude", "skills", "price-check");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), "---\nname: price-check\ndescription: Checks parcel prices\n---\nCheck.\n");
}, 240_000);
afterAll(async () => {
  await bench?.close();
  if (programs) rmSync(programs, { recursive: true, force: true });
});

const message = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const suggestions = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });

/** The form of a new session with the fake Claude Code in the project. */
async function openForm(options: Parameters<Workbench["page"]>[1] = {}): Promise<Page> {
  const page = await bench.page("/new", options);
  await page
    .getByRole("button", { name: bench.folder })
    .or(page.getByRole("button", { name: "Choose a folder" }))
    .click();
  await combobox(page, "Path").fill(bench.folder);
  await page.keyboard.press("Enter");
  await choose(combobox(page, "Agent"), "claude");
  return page;
}

describe.skipIf(!CHROMIUM.met)("the form of a new session", needs(CHROMIUM), () => {
  it("completes slash commands and skills by keyboard before the first turn", async () => {
    const page = await openForm();
    await message(page).pressSequentially("/");
    await suggestions(page)
      .getByRole("option", { name: /deploy/ })
      .waitFor();
    await suggestions(page)
      .getByRole("option", { name: /price-check/ })
      .waitFor();
    await takePictures(page, "new-commands");
    await message(page).pressSequentially("depl");
    await page.keyboard.press("Tab");
    expect(await message(page).inputValue()).toBe("/deploy ");
    await message(page).fill("/pri");
    await suggestions(page)
      .getByRole("option", { name: /price-check/ })
      .waitFor();
    await page.keyboard.press("Enter");
    expect(await message(page).inputValue()).toBe("/price-check ");
    await choose(combobox(page, "Agent"), "scripted");
    await message(page).fill("/pri");
    await expect.poll(() => suggestions(page).count()).toBe(0);
    await page.context().close();
  });

  it("completes slash commands by touch, with targets of at least 44 pixels", async () => {
    const page = await openForm({ touch: true, viewport: { width: 390, height: 844 } });
    await message(page).tap();
    await page.keyboard.type("/de");
    const option = suggestions(page).getByRole("option", { name: /deploy/ });
    await option.waitFor();
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await option.tap();
    expect(await message(page).inputValue()).toBe("/deploy ");
    const controls = page
      .getByRole("form", { name: "Composer" })
      .locator(":not(select) > button:visible, select:visible, input:visible");
    for (const control of await controls.all()) {
      const name = await control.evaluate((element) => element.outerHTML.slice(0, 200));
      expect((await control.boundingBox())?.height, name).toBeGreaterThanOrEqual(44);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await takePictures(page, "new-touch");
    await page.context().close();
  });

  it("shows context window and price of each model, and starts with the chosen one and its effort", async () => {
    const page = await openForm();
    const { models } = (await bench.client.agents.list()).find(({ id }) => id === "claude") ?? {
      models: { items: [] },
    };
    const opus = models.items.find(({ id }) => id === "opus");
    expect(opus).toMatchObject({ price: { input: expect.any(Number) } });
    await combobox(page, "Model").click();
    const option = pickerOptions(page).and(page.locator("[data-value=opus]"));
    await expect.poll(() => option.textContent()).toContain(`$${opus?.price?.input}/$${opus?.price?.output}`);
    await takePictures(page, "new-models");
    await page.keyboard.press("Escape");
    await choose(combobox(page, "Model"), "opus");
    expect(await combobox(page, "Model").getAttribute("title")).toContain("per million tokens");
    await combobox(page, "Effort").click();
    const efforts = await pickerOptions(page).evaluateAll((all) => all.map((one) => one.getAttribute("data-value")));
    await page.keyboard.press("Escape");
    expect(efforts).toEqual(["", ...(opus?.efforts ?? [])]);
    await choose(combobox(page, "Effort"), "low");
    await message(page).fill("[[text]]");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/s\/ses_/);
    const session = await bench.waitForState(page.url().split("/s/")[1] ?? "", "idle");
    expect(session).toMatchObject({ agent: "claude", model: "opus", effort: "low" });
    await page.goto(`${bench.url}/models`);
    const list = page.getByRole("region", { name: "Claude Code" });
    await list.getByText(`$${opus?.price?.input} in, $${opus?.price?.output} out per million tokens`).first().waitFor();
    await takePictures(page, "models");
    await page.context().close();
  });

  it("never sends the model of the agent that was chosen before", async () => {
    const page = await openForm();
    await choose(combobox(page, "Model"), "opus");
    await choose(combobox(page, "Agent"), "scripted");
    await message(page).fill("[[text]]");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/s\/ses_/);
    const session = await bench.waitForState(page.url().split("/s/")[1] ?? "", "idle");
    expect([session.agent, session.model]).toEqual(["scripted", undefined]);
    await page.context().close();
  });

  it("adds further folders, shows and removes them, and starts the session with the rest", async () => {
    const [docs, tools] = ["docs", "tools"].map((name) => join(bench.home, name)) as [string, string];
    for (const folder of [docs, tools]) mkdirSync(folder);
    const page = await openForm();
    for (const folder of [docs, tools]) {
      await page.getByRole("button", { name: "Add folder" }).click();
      await combobox(page, "Path").fill(folder);
      await page.keyboard.press("Enter");
    }
    const shown = page.getByRole("list", { name: "Further folders" }).getByRole("listitem");
    await expect.poll(() => shown.count()).toBe(2);
    await takePictures(page, "new-folders");
    await page.getByRole("button", { name: `Remove ${tools}` }).click();
    await expect.poll(() => shown.count()).toBe(1);
    await message(page).fill("[[text]]");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/s\/ses_/);
    const session = await bench.waitForState(page.url().split("/s/")[1] ?? "", "idle");
    expect(session.folders).toEqual([docs]);
    await page.getByText("+1 folder").waitFor();
    await page.context().close();
  });
});

describe.skipIf(!CHROMIUM.met)("a session with Claude Code", needs(CHROMIUM), () => {
  it("takes a message back that the agent has not read, and the turn continues without it", async () => {
    const { id } = await bench.session("[[hang]]", { agent: "claude" });
    await bench.waitForState(id, "running");
    const page = await bench.page(`/s/${id}`);
    await message(page).fill("[[text]] not after all");
    await page.getByRole("button", { name: "Steer", exact: true }).click();
    await page.getByRole("log", { name: "Transcript" }).getByText("not after all").waitFor();
    const pending = page.getByRole("region", { name: "Messages that the agent has not read" });
    await pending.getByText("not after all").waitFor();
    expect(await bench.client.sessions.get(id)).toMatchObject({ steers: [{ text: "[[text]] not after all" }] });
    await takePictures(page, "take-back");
    await page.reload();
    await pending.getByRole("button", { name: "Withdraw" }).click();
    await pending.waitFor({ state: "detached" });
    expect(await bench.client.sessions.get(id)).not.toHaveProperty("steers");
    const { events } = await bench.client.sessions.events(id, { limit: 1000 });
    const steered = events.find((event) => event.type === "message.user" && event.data.text.includes("not after all"));
    const deliveries = events.flatMap((event) =>
      event.type === "message.delivery" &&
      steered?.type === "message.user" &&
      event.data.message === steered.data.message
        ? [event.data.state]
        : [],
    );
    expect(deliveries.at(-1)).toBe("cancelled");
    expect((await bench.client.sessions.get(id)).state).toBe("running");
    await bench.client.sessions.interrupt(id);
    await bench.waitForState(id, "idle");
    expect((await bench.client.sessions.get(id)).turns).toBe(1);
    await page.context().close();
  });

  it("shows a steer at the composer while the answer scrolls, until the agent reads it", async () => {
    const { id } = await bench.session("[[slow:900:5]]", { agent: "claude" });
    await bench.waitForState(id, "running");
    const page = await bench.page(`/s/${id}`, { viewport: { width: 390, height: 500 } });
    await message(page).fill("[[text]] also the tests");
    await page.getByRole("button", { name: "Steer", exact: true }).click();
    const pending = page.getByRole("region", { name: "Messages that the agent has not read" });
    await pending.getByText("also the tests").waitFor();
    const transcript = page.getByRole("log", { name: "Transcript" });
    await transcript.hover();
    await page.mouse.wheel(0, -5000);
    const box = await pending.getByRole("button", { name: "Withdraw" }).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    await pending.waitFor({ state: "detached", timeout: 60_000 });
    await bench.waitForState(id, "idle");
    const { events } = await bench.client.sessions.events(id, { limit: 1000 });
    const read = events.flatMap((event) => (event.type === "message.delivery" ? [event.data.state] : []));
    expect(read.slice(-2)).toEqual(["sent", "delivered"]);
    await page.context().close();
  });

  it("shows a question as choices, without the input of the agent's tool", async () => {
    const { id } = await bench.session("[[ask]]", { agent: "claude" });
    await bench.waitForState(id, "waiting");
    const [input] = (await bench.client.sessions.get(id)).inputs;
    expect(input?.tool?.input).toBeDefined();
    const page = await bench.page(`/s/${id}`, { viewport: { width: 390, height: 844 } });
    const card = page.getByRole("group", { name: input?.title ?? "", exact: true });
    await card.getByRole("radio").first().waitFor();
    expect(await card.locator("pre").count()).toBe(0);
    await takePictures(page, "question");
    await card.getByRole("radio").first().check();
    await card.getByRole("button", { name: "Answer" }).click();
    await bench.waitForState(id, "idle");
    await page.context().close();
  });

  it("shows what fills the context of the agent, on request", async () => {
    const { id } = await bench.session("[[text]]", { agent: "claude" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Context…" }).click();
    const dialog = page.getByRole("dialog", { name: "Context" });
    const parts = dialog.getByRole("list", { name: "Parts of the context" }).getByRole("listitem");
    await parts.first().waitFor();
    expect(await parts.first().textContent()).toContain("System prompt");
    await dialog.getByText("reserved for compaction").waitFor();
    await takePictures(page, "context");
    expect((await bench.client.sessions.get(id)).context).toMatchObject({ used: 14_404, size: 1_000_000 });
    await page.keyboard.press("Escape");
    await bench.client.sessions.close(id);
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Context…" }).click();
    await dialog.getByRole("alert").getByText("Claude Code is not running in this session.").waitFor();
    await page.context().close();
  });
});
