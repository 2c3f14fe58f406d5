import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
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
    const { events } = await bench.client.sessions.events(idle.id, { limit: 1000 });
    expect(events.find(({ type }) => type === "process.released")?.data).toMatchObject({ reason: "closed" });
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
    await combobox(page, "User: Agent").selectOption("scripted");
    await combobox(page, "User: Mode").selectOption("plan");
    await combobox(page, "User: Model").selectOption("scripted-mini");
    await combobox(page, "User: Fast").selectOption("on");
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
    await combobox(page, "Project: Mode").selectOption("auto-edit");
    const file = join(project, ".gantry", "project.yml");
    await page.getByText(`Stored in ${file}`).waitFor();
    expect(parse(readFileSync(file, "utf8"))).toEqual({ defaults: { mode: "auto-edit" } });
    await takePictures(page, "defaults");
    await combobox(page, "User: Agent").selectOption("");
    await combobox(page, "User: Mode").selectOption("");
    await expect
      .poll(async () => Object.entries(await read()).filter(([key]) => key !== "controls"), { timeout: 30_000 })
      .toEqual([]);
    expect((await read()).controls ?? {}).toEqual({});
    await user.getByRole("combobox", { name: "User: Model" }).waitFor({ state: "detached" });
    await page.context().close();
  });
});
