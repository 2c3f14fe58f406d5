import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { choose, chosenValue } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

describe.skipIf(!CHROMIUM.met)("the list of agent processes", needs(CHROMIUM), () => {
  it("explains that none runs, then shows each with its state, and releases an idle one", async () => {
    const page = await bench.page("/settings?tab=processes");
    await page.getByText("No agent process is running").waitFor();
    await takePictures(page, "processes-empty");
    const idle = await bench.session("[[text]]", { title: "Done already" });
    const busy = await bench.session("[[slow:4000:100]]", { title: "Works on" });
    await bench.waitForState(idle.id, "idle");
    await bench.waitForState(busy.id, "running");
    const list = page.getByRole("region", { name: "Agent processes" });
    await list.getByText(/^Scripted agent · process \d+ · idle for \d+ s, released in /).waitFor();
    await list.getByText("2 of at most 20 processes").waitFor();
    expect(await list.getByRole("button", { name: "Release Works on" }).isDisabled()).toBe(true);
    await takePictures(page, "processes");
    await list.getByRole("button", { name: "Release Done already" }).click();
    await list.getByRole("link", { name: "Done already" }).waitFor({ state: "detached" });
    const released = async () => {
      const { events } = await bench.client.sessions.events(idle.id, { limit: 1000 });
      return events.find(({ type }) => type === "process.released")?.data;
    };
    await expect.poll(released, { timeout: 30_000 }).toMatchObject({ reason: "closed" });
    await list.getByRole("link", { name: "Works on" }).click();
    await page.waitForURL(`${bench.url}/s/${busy.id}`);
    await bench.client.sessions.interrupt(busy.id);
    await page.goto(`${bench.url}/s/${idle.id}`);
    await page
      .getByRole("log", { name: "Transcript" })
      .getByText(/the session was closed/i)
      .waitFor();
    await page.context().close();
  });

  it("changes the limit and the start of agents before the first message", async () => {
    const page = await bench.page("/settings?tab=processes");
    const limit = page.getByRole("textbox", { name: "Maximum agent processes" });
    await limit.fill("7");
    await limit.press("Enter");
    const warmUp = page.getByRole("checkbox", { name: "Start agents when a session is opened" });
    await warmUp.click();
    await expect
      .poll(async () => (await bench.client.settings.get()).values, { timeout: 30_000 })
      .toMatchObject({ "processes.max": 7, "processes.warmUp": true });
    const session = await bench.client.sessions.create({ agent: "scripted", cwd: bench.folder, title: "Opened" });
    await page.goto(`${bench.url}/s/${session.id}`);
    await expect
      .poll(async () => (await bench.client.processes()).processes.map(({ title }) => title), { timeout: 30_000 })
      .toContain("Opened");
    await page.goto(`${bench.url}/settings?tab=processes`);
    await page.getByText("of at most 7 processes", { exact: false }).waitFor();
    await page.context().close();
  });
});

describe.skipIf(!CHROMIUM.met)("the defaults of new sessions", needs(CHROMIUM), () => {
  it("are set and removed for the user and for a project, with the controls of the agent", async () => {
    const project = join(bench.home, "with-defaults");
    mkdirSync(project);
    const page = await bench.page("/settings?tab=defaults");
    const user = page.getByRole("region", { name: "Your defaults" });
    await choose(combobox(page, "User: Agent"), "scripted");
    await choose(combobox(page, "User: Mode"), "plan");
    await choose(combobox(page, "User: Model"), "scripted-mini");
    await choose(combobox(page, "User: Fast"), "on");
    const read = async () => (await bench.client.defaults.get({})).user;
    await expect
      .poll(read, { timeout: 30_000 })
      .toEqual({ agent: "scripted", mode: "plan", model: "scripted-mini", controls: { fast: "on" } });
    await page
      .getByRole("region", { name: "Project" })
      .getByRole("button", { name: /Choose a folder|^\// })
      .click();
    await combobox(page, "Path").fill(project);
    await page.keyboard.press("Enter");
    await page.getByText("The project has no defaults yet.").waitFor();
    await choose(combobox(page, "Project: Mode"), "auto-edit");
    const file = join(project, ".gantry", "project.yml");
    await page.getByText(`Stored in ${file}`).waitFor();
    expect(parse(readFileSync(file, "utf8"))).toEqual({ defaults: { mode: "auto-edit" } });
    await takePictures(page, "defaults");
    await choose(combobox(page, "User: Agent"), "");
    await choose(combobox(page, "User: Mode"), "");
    await expect
      .poll(async () => Object.entries(await read()).filter(([key]) => key !== "controls"), { timeout: 30_000 })
      .toEqual([]);
    expect((await read()).controls ?? {}).toEqual({});
    await user.getByRole("combobox", { name: "User: Model" }).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("are set and removed for a single agent, with the source of each, and apply to new sessions with it", async () => {
    const { set } = bench.client.defaults;
    const page = await bench.page("/settings?tab=defaults");
    const section = page.getByRole("region", { name: "Defaults of a single agent" });
    await choose(combobox(page, "Defaults of agent"), "scripted");
    await section.getByText("In use: Ask (built in)").waitFor();
    await set({ scope: "user", mode: "plan" });
    await page.reload();
    await choose(combobox(page, "Defaults of agent"), "scripted");
    await section.getByText("In use: Plan (your defaults)").waitFor();
    await combobox(page, "Agent: Mode").focus();
    await page.keyboard.type("Auto");
    await page.keyboard.press("Enter");
    await section.getByText("In use: Auto-edit (your defaults for this agent)").waitFor();
    await choose(combobox(page, "Agent: Model"), "scripted-mini");
    await choose(combobox(page, "Agent: Fast"), "on");
    await section.getByText("In use: On (your defaults for this agent)").waitFor();
    const { user } = await bench.client.defaults.get({});
    expect(user.agents).toEqual({
      scripted: { mode: "auto-edit", model: "scripted-mini", controls: { fast: "on" } },
    });
    await takePictures(page, "agent-defaults");

    const form = await bench.tab(page.context(), "/new");
    await choose(combobox(form, "Agent"), "scripted");
    await expect
      .poll(async () => [await chosenValue(combobox(form, "Model")), await chosenValue(combobox(form, "Mode"))])
      .toEqual(["scripted-mini", "auto-edit"]);
    await form.close();

    await choose(combobox(page, "Agent: Model"), "");
    await section
      .getByText(/^In use: .* \(the agent's own\)$/)
      .first()
      .waitFor();
    await section.getByRole("button", { name: "Remove this agent's defaults" }).click();
    await section.getByText("In use: Plan (your defaults)").waitFor();
    expect(agentEntries((await bench.client.defaults.get({})).user.agents)).toEqual([]);
    expect(await chosenValue(combobox(page, "Defaults of agent"))).toBe("scripted");
    await set({ scope: "user", mode: null });
    await page.context().close();
  });

  it("of a single agent are set for a project by touch on a narrow screen", async () => {
    const project = join(bench.home, "narrow");
    mkdirSync(project);
    await bench.client.sessions.create({ agent: "scripted", cwd: project, title: "Narrow" });
    const page = await bench.page("/settings?tab=defaults", { touch: true, viewport: { width: 390, height: 844 } });
    const section = page.getByRole("region", { name: "Defaults of a single agent" });
    await choose(combobox(page, "Defaults of agent"), "scripted");
    await combobox(page, "Stored for").selectOption("project");
    await choose(combobox(page, "Agent in project: Mode"), "plan");
    await section.getByText("In use: Plan (the project's defaults for this agent)").waitFor();
    const file = join(project, ".gantry", "project.yml");
    expect(parse(readFileSync(file, "utf8"))).toEqual({ defaults: { agents: { scripted: { mode: "plan" } } } });
    for (const control of await section.locator("select, button:not(select button)").all()) {
      const box = await control.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await section.scrollIntoViewIfNeeded();
    await takePictures(page, "agent-defaults-touch");
    await page.context().close();
  });
});

/** The settings of all agents in a file. */
const agentEntries = (agents: object = {}) =>
  Object.values(agents).flatMap(({ controls = {}, ...rest }) => [...Object.keys(controls), ...Object.keys(rest)]);
