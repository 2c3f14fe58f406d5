import { type ScriptedModel, startScriptedModel } from "@gantry/scripted";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
let model: ScriptedModel;
useWorkbench((made) => {
  bench = made;
});
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const KEY = "sk-secret-of-the-page";
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

/** Fills in the form for the scripted model server. */
async function addServer(page: Page, name: string): Promise<void> {
  const form = page.getByRole("form", { name: "Add a provider" });
  await choose(form.getByRole("combobox", { name: "Provider" }), "+server");
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("textbox", { name: "URL" }).fill(`${model.url}/v1`);
  await form.getByRole("textbox", { name: "Models" }).fill("scripted-model");
  await form.getByRole("textbox", { name: "API key" }).fill(KEY);
  await form.getByRole("button", { name: "Save and test" }).click();
}

describe.skipIf(!CHROMIUM.met)("providers and keys in the page", needs(CHROMIUM), () => {
  it("answer a failed message after a key was entered where it failed", async () => {
    const session = await bench.client.sessions.create({ agent: "gantry", cwd: bench.folder, prompt: "Hello." });
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    const log = page.getByRole("log", { name: "Transcript" });
    await log.getByRole("button", { name: "Add a model provider" }).click();
    await dialog(page, "Add a model provider").waitFor();
    expect(await listViolations(page, "dialog")).toEqual([]);
    await takePictures(page, "key-in-place");
    await addServer(page, "first");
    await dialog(page, "Add a model provider").waitFor({ state: "detached", timeout: 60_000 });
    expect(page.url()).toContain(session.id);
    await expect
      .poll(async () => (await bench.client.sessions.get(session.id)).lastTurn?.outcome, { timeout: 60_000 })
      .toBe("completed");
    await page.context().close();
  });

  it("are added, tested and removed, and no key is shown", async () => {
    const page = await bench.page("/models");
    const region = page.getByRole("region", { name: "Providers and keys" });
    await region.getByRole("button", { name: "Add provider" }).click();
    await addServer(page, "second");
    await dialog(page, "Add a provider").waitFor({ state: "detached", timeout: 60_000 });
    const row = region.getByRole("listitem", { name: "second" });
    await row.getByText("Ready", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Test second" }).click();
    await row.getByText(/answered in/).waitFor({ timeout: 60_000 });
    expect(await page.content()).not.toContain(KEY);
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "models-providers");
    await row.getByRole("button", { name: "Remove second" }).click();
    await row.waitFor({ state: "detached" });
    expect((await bench.client.models.providers()).providers.map(({ provider }) => provider)).toEqual(["first"]);
    await page.context().close();
  });

  it("are added by touch on a narrow screen", async () => {
    const page = await bench.page("/models", { touch: true, viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "Add provider" }).tap();
    await addServer(page, "third");
    await page.getByRole("listitem", { name: "third" }).waitFor({ timeout: 60_000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.context().close();
  });
});
