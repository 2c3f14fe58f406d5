import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, writeFakeAgent } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose } from "../workbench/choose.ts";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
const bins = mkdtempSync(join(tmpdir(), "gantry-handoff-"));
beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  const codex = writeFakeAgent({ dir: bins, dialect: "codex", fault: [], pace: 1 });
  bench = await Workbench.open({ GANTRY_CODEX_BIN: codex });
}, 240_000);
afterAll(async () => {
  await bench?.close();
  rmSync(bins, { recursive: true });
});

describe.skipIf(!CHROMIUM.met)("a handoff", needs(CHROMIUM), () => {
  it("hands the session to another agent with an edited brief and its sources", async () => {
    const { id } = await bench.session("[[edit]] the price list", { mode: "full-auto", title: "Price list" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await choose(page.getByRole("combobox", { name: "Agent", exact: true }), "codex");
    const dialog = page.getByRole("dialog", { name: "Hand off" });
    const brief = dialog.getByRole("textbox", { name: "Brief" });
    await brief.waitFor();
    expect(await brief.inputValue()).toContain("the price list");
    await dialog.getByRole("button", { name: /sources?$/ }).click();
    await dialog.getByRole("list", { name: "Sources" }).getByRole("link").first().waitFor();
    await brief.fill(`${await brief.inputValue()}\nMind the rounding.`);
    await dialog.getByText("· edited").waitFor();
    await dialog.getByRole("textbox", { name: "Next task" }).fill("Answer with [[text]]");
    await dialog.getByRole("button", { name: /^Hand off to / }).click();
    await dialog.waitFor({ state: "detached" });
    await bench.waitForState(id, "idle");
    expect(await bench.client.sessions.get(id)).toMatchObject({ agent: "codex" });
    const { events } = await bench.client.sessions.events(id, { limit: 1000 });
    const started = events.find((event) => event.type === "handoff.started");
    expect(started?.data).toMatchObject({ to: "codex", strategy: "brief" });
    expect(JSON.stringify(started)).toContain("Mind the rounding.");
    await page
      .getByRole("log", { name: "Transcript" })
      .getByText(/^Handed off from/)
      .waitFor();
    await page.close();
  });

  it("starts the next agent with the native controls of the dialog", async () => {
    const { id } = await bench.session("[[text]]", { mode: "full-auto", title: "With controls" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await choose(page.getByRole("combobox", { name: "Agent", exact: true }), "codex");
    const dialog = page.getByRole("dialog", { name: "Hand off" });
    await dialog.getByRole("button", { name: "Native controls" }).click();
    await choose(dialog.getByRole("combobox", { name: "Sandbox" }), "read-only");
    await choose(dialog.getByRole("combobox", { name: "Fast" }), "on");
    await dialog.getByRole("textbox", { name: "Next task" }).fill("Answer with [[text]]");
    await takePictures(page, "handoff");
    await dialog.getByRole("button", { name: /^Hand off to / }).click();
    await dialog.waitFor({ state: "detached" });
    await bench.waitForState(id, "idle");
    const session = await bench.client.sessions.get(id);
    expect(session).toMatchObject({ agent: "codex", controls: { sandbox: "read-only", fast: "on" } });
    await page.close();
  });

  it("proposes another agent also when the list of agents arrives after the dialog", async () => {
    const { id } = await bench.session("[[text]]", { title: "Early" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/v1/agents*", async (route) => {
      await asked;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Hand off…" }).click();
    const dialog = page.getByRole("dialog", { name: "Hand off" });
    await dialog.waitFor();
    answer();
    await dialog.getByRole("button", { name: "Hand off to Codex" }).waitFor();
    await dialog.getByRole("textbox", { name: "Brief" }).waitFor();
    await page.close();
  });

  it("changes nothing when it is cancelled", async () => {
    const { id } = await bench.session("[[text]]", { title: "Stays" });
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Hand off…" }).click();
    const dialog = page.getByRole("dialog", { name: "Hand off" });
    await dialog.getByRole("textbox", { name: "Brief" }).waitFor();
    const { lastSeq } = await bench.client.sessions.get(id);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await bench.client.sessions.get(id)).toMatchObject({ agent: "scripted", lastSeq });
    await page.close();
  });
});
