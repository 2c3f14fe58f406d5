import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose, chosenValue, pickerOptions } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const controls = (page: Page) => page.getByRole("button", { name: "Native controls" });

describe.skipIf(!CHROMIUM.met)("native controls in the page", needs(CHROMIUM), () => {
  it("are changed in a session, and choices above the mode are disabled", async () => {
    const session = await bench.session("[[text]] hello");
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    await controls(page).click();
    await choose(combobox(page, "Fast"), "on");
    await eventually("the agent reports it", async () => {
      const { controlsApplied } = await bench.client.sessions.get(session.id);
      return controlsApplied?.fast === "on";
    });
    const isDisabled = async () => {
      await combobox(page, "Reach").click();
      const disabled = await pickerOptions(page)
        .and(page.locator("[data-value=machine]"))
        .getAttribute("aria-disabled");
      await page.keyboard.press("Escape");
      return disabled === "true";
    };
    await expect.poll(isDisabled).toBe(true);
    await choose(combobox(page, "Mode"), "full-auto");
    await expect.poll(isDisabled).toBe(false);
    expect(await page.getByText("Controls set to fast=on").count()).toBe(1);
    expect(await page.getByText("undefined").count()).toBe(0);
    await takePictures(page, "session");
    await choose(combobox(page, "Fast"), "");
    await eventually("it is taken back", async () => {
      return (await bench.client.sessions.get(session.id)).controls?.fast === undefined;
    });
  });

  it("start with the defaults of the chosen folder", async () => {
    const folder = join(bench.folder, "with-defaults");
    mkdirSync(join(folder, ".gantry"), { recursive: true });
    writeFileSync(join(folder, ".gantry", "project.yml"), "defaults: { agent: scripted, mode: plan }\n");
    const page = await bench.page("/new");
    await page
      .getByRole("button", { name: bench.folder })
      .or(page.getByRole("button", { name: "Choose a folder" }))
      .click();
    await combobox(page, "Path").fill(folder);
    await page.keyboard.press("Enter");
    await expect.poll(() => chosenValue(combobox(page, "Mode"))).toBe("plan");
    await controls(page).click();
    await takePictures(page, "new");
  });

  it("belong to an identity and are passed to its session", async () => {
    const page = await bench.page("/identities");
    await page.getByRole("button", { name: "New identity" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New identity" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("keeper");
    await choose(dialog.getByRole("combobox", { name: "Agent", exact: true }), "scripted");
    await dialog.getByRole("button", { name: "Native controls" }).click();
    await choose(dialog.getByRole("combobox", { name: "Fast" }), "on");
    await takePictures(page, "identity");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await bench.client.identities.get("keeper")).toMatchObject({ controls: { fast: "on" } });
    const { session } = await bench.client.identities.send("keeper", { text: "[[text]]" });
    expect(session.controls).toEqual({ fast: "on" });
    await bench.waitForState(session.id, "idle");
    await page.context().close();
  });
});
