import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose, chosenValue, pickerOptions } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { takePictures } from "../workbench/pictures.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import { listViolations } from "../workbench/violations.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((made) => {
  bench = made;
});

const combobox = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
const links = (page: Page) => page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
const link = (page: Page, name: string) => links(page).and(page.getByRole("link", { name, exact: true }));
const board = (page: Page) => page.getByRole("region", { name: "Board", exact: true });

/** A repository with a finished session of each title. */
async function makeProject(
  name: string,
  titles: readonly string[],
  files: Record<string, string> = {},
): Promise<string> {
  const root = join(bench.home, name);
  mkdirSync(join(root, ".gantry"), { recursive: true });
  for (const [path, text] of Object.entries({ "readme.md": `${name}\n`, ...files }))
    writeFileSync(join(root, path), text);
  execFileSync("git", ["init", "--quiet", "-b", "main"], { cwd: root });
  for (const title of titles) await bench.client.sessions.create({ agent: "scripted", cwd: root, title });
  const { projects } = await bench.client.projects.list();
  return projects.find((project) => project.root === root)?.id ?? "";
}

describe.skipIf(!CHROMIUM.met)("projects in the page", needs(CHROMIUM), () => {
  it("are named, coloured and configured on their page, which writes the files of the repository", async () => {
    const id = await makeProject("parcels", ["Rates"]);
    const page = await bench.page("/projects");
    await page.getByRole("listitem", { name: "parcels" }).getByRole("link", { name: "Settings of parcels" }).click();
    await page.getByRole("textbox", { name: "Project name" }).fill("Parcels & rates");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Parcels & rates" }).waitFor();
    await choose(combobox(page, "Colour"), "violet");
    await choose(combobox(page, "Project: Agent"), "scripted");
    await choose(combobox(page, "Project: Mode"), "plan");
    await page.getByRole("textbox", { name: "Check command" }).fill("npm test");
    await page.keyboard.press("Tab");
    await expect
      .poll(() => bench.client.projects.get(id), { timeout: 30_000 })
      .toMatchObject({
        ...{ name: "Parcels & rates", color: "violet", defaults: { agent: "scripted", mode: "plan" } },
        check: { command: "npm test", trusted: true },
      });
    expect(readFileSync(join(bench.home, "parcels", ".gantry", "lane.yml"), "utf8")).toBe("check: npm test\n");
    await page.getByRole("button", { name: "Pin Parcels & rates" }).click();
    await page
      .getByRole("list", { name: "Pinned projects" })
      .getByRole("link", { name: /Parcels/ })
      .waitFor();
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "project");
    await page.context().close();
  });

  it("filter sidebar and board by keyboard, and each remembers the filters of its board", async () => {
    const id = await makeProject("shop", ["Checkout", "Basket"]);
    await makeProject("garden", ["Roses"]);
    const page = await bench.page("/");
    await link(page, "Roses").waitFor();
    await combobox(page, "Project").focus();
    await page.keyboard.type("shop");
    await page.keyboard.press("Enter");
    await board(page).getByRole("heading", { name: "shop" }).waitFor();
    await expect.poll(() => links(page).allTextContents()).toEqual(expect.arrayContaining(["Checkout", "Basket"]));
    expect(await links(page).count()).toBe(2);
    expect(await board(page).getByText("Roses").count()).toBe(0);
    await page.getByRole("textbox", { name: "Filter sessions" }).fill("basket");
    await takePictures(page, "project-board");
    await choose(combobox(page, "Project"), "");
    expect(await page.getByRole("textbox", { name: "Filter sessions" }).inputValue()).toBe("");
    await link(page, "Roses").waitFor();
    await page.goto(`${bench.url}/p/${id}`);
    await board(page).getByRole("heading", { name: "shop" }).waitFor();
    await page.reload();
    await board(page).getByRole("heading", { name: "shop" }).waitFor();
    expect(await listViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "All projects" }).click();
    await link(page, "Roses").waitFor();
    await page.context().close();
  });

  it("give a new session their defaults, which do not drift with the last session", async () => {
    const id = await makeProject("stable", ["First"], {
      ".gantry/project.yml": "defaults: { agent: scripted, model: scripted-mini, mode: plan }\n",
    });
    const page = await bench.page(`/projects/${id}`);
    await page.getByRole("region", { name: "stable" }).getByRole("button", { name: "New session" }).click();
    const form = page.getByRole("region", { name: "New session" });
    const values = async () =>
      Promise.all(
        ["Agent", "Model", "Mode"].map((name) => chosenValue(form.getByRole("combobox", { name, exact: true }))),
      );
    await expect.poll(values).toEqual(["scripted", "scripted-mini", "plan"]);
    await choose(form.getByRole("combobox", { name: "Mode", exact: true }), "full-auto");
    await choose(form.getByRole("combobox", { name: "Model", exact: true }), "");
    await form.getByRole("button", { name: "Start empty" }).click();
    await page.waitForURL(/\/s\/ses_/);
    const session = await bench.client.sessions.get(page.url().split("/s/")[1] ?? "");
    expect([session.mode, session.model]).toEqual(["full-auto", undefined]);
    await page.goto(`${bench.url}/new`);
    await expect.poll(values).toEqual(["scripted", "scripted-mini", "plan"]);
    await page.context().close();
  });

  it("pin sessions from their menu, at the top of the sidebar", async () => {
    const id = await makeProject("pins", ["Old plan", "New plan"]);
    const page = await bench.page(`/p/${id}`);
    await link(page, "Old plan").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Pin", exact: true }).click();
    await page
      .getByRole("navigation", { name: "Sessions" })
      .getByRole("heading", { name: /Pinned/ })
      .waitFor();
    await expect.poll(() => links(page).first().textContent()).toContain("Old plan");
    const { pins } = await bench.client.projects.get(id);
    expect(pins).toHaveLength(1);
    await page.goto(`${bench.url}/projects/${id}`);
    await page.getByRole("button", { name: "Unpin Old plan" }).click();
    await eventually("it is unpinned", async () => (await bench.client.projects.get(id)).pins.length === 0);
    await page.context().close();
  });

  it("show commands of a foreign repository as untrusted, and trust them on request only", async () => {
    const ran = join(bench.home, "ran");
    const id = await makeProject("foreign", ["Look"], { ".gantry/lane.yml": `setup: touch ${ran}\n` });
    const page = await bench.page(`/projects/${id}`);
    const commands = page.getByRole("region", { name: "Commands" });
    await commands.getByText("Not trusted: it does not run.", { exact: false }).waitFor();
    await commands.getByRole("button", { name: "Trust", exact: true }).click();
    await commands.getByText("Not trusted", { exact: false }).waitFor({ state: "detached" });
    expect((await bench.client.projects.get(id)).setup).toEqual({ command: `touch ${ran}`, trusted: true });
    expect(existsSync(ran)).toBe(false);
    await page.context().close();
  });

  it("are switched by touch on a narrow screen without overflow", async () => {
    await makeProject("narrow", ["Small screens"]);
    const page = await bench.page("/", { touch: true, viewport: { width: 390, height: 844 } });
    await page.getByRole("button", { name: "Menu" }).tap();
    await combobox(page, "Project").tap();
    const option = pickerOptions(page).filter({ hasText: "narrow" });
    await option.waitFor();
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await option.tap();
    await board(page).getByRole("heading", { name: "narrow" }).waitFor();
    for (const path of ["/", "/projects"]) {
      await page.goto(`${bench.url}${path}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    expect(await listViolations(page)).toEqual([]);
    await takePictures(page, "projects");
    await page.context().close();
  });
});
