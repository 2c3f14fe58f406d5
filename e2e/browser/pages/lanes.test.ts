import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { choose } from "../workbench/choose.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
  for (const [key, value] of [
    ["user.name", "Test"],
    ["user.email", "test@localhost"],
  ])
    git("config", key ?? "", value ?? "");
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder, encoding: "utf8" }).trim();
const lanes = async () => (await bench.client.call("listLanes", { query: { cwd: bench.folder } })).lanes;
const row = (page: Page, name: string) =>
  page.getByRole("region", { name: "Lanes" }).getByRole("listitem", { name, exact: true });

async function inMenu(page: Page, lane: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${lane}` }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** A lane with an uncommitted file. */
async function createDirtyLane(name: string, file: string): Promise<string> {
  const lane = await bench.client.call("createLane", { body: { cwd: bench.folder, name } });
  writeFileSync(join(lane.path, file), `${name}\n`);
  return lane.id;
}

describe.skipIf(!CHROMIUM.met)("lanes", needs(CHROMIUM), () => {
  it("are created in a dialog, and a session starts in one", async () => {
    await bench.session("[[text]]");
    const page = await bench.page("/lanes");
    await row(page, "project").waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New lane" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("rates by zone");
    await dialog.getByRole("textbox", { name: "Start from" }).fill("no-such-branch");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/no-such-branch/)
      .waitFor();
    expect(await lanes()).toHaveLength(1);
    await dialog.getByRole("textbox", { name: "Start from" }).fill("main");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    const made = (await lanes()).find(({ kind }) => kind === "worktree");
    expect(made).toMatchObject({ base: { ref: "main" }, state: "ready" });
    await row(page, made?.name ?? "").waitFor();
    await inMenu(page, made?.name ?? "", "Start a session here");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[edit]]");
    await choose(page.getByRole("combobox", { name: "Agent", exact: true }), "scripted");
    await choose(page.getByRole("combobox", { name: "Mode", exact: true }), "full-auto");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForURL(/\/s\/ses_/);
    await eventually("the lane has the work", async () => (await lanes()).find(({ id }) => id === made?.id)?.dirty);
    expect(git("status", "--porcelain")).toBe("");
    await page.close();
  });

  it("show their changes and land, and the landing can be undone", async () => {
    const id = await createDirtyLane("landing", "landed.txt");
    const before = git("rev-parse", "main");
    const page = await bench.page(`/lanes/${id}`);
    await page.getByText("landed.txt").waitFor();
    await page.getByRole("button", { name: "Land…" }).click();
    const dialog = page.getByRole("dialog", { name: "Land landing" });
    await dialog.getByRole("list", { name: "Conflicts" }).getByText("Merges cleanly").first().waitFor();
    await dialog.getByText("Squash").click();
    await dialog.getByRole("textbox", { name: "Message" }).fill("Land it from the page");
    await dialog.getByRole("button", { name: "Land on main" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(git("log", "-1", "--format=%s", "main")).toBe("Land it from the page");
    expect(git("show", "main:landed.txt")).toBe("landing");
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually("main is where it was", async () => git("rev-parse", "main") === before);
    await page.close();
  });

  it("with unmerged work are removed only after a warning, and can be restored", async () => {
    const id = await createDirtyLane("keeper", "precious.txt");
    const page = await bench.page("/lanes");
    await row(page, "keeper").getByText("1 changed").waitFor();
    await inMenu(page, "keeper", "Remove…");
    const dialog = page.getByRole("dialog", { name: "Remove keeper" });
    await dialog.getByText("1 uncommitted file").waitFor();
    await dialog.getByRole("button", { name: "Remove anyway" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await lanes()).some((lane) => lane.id === id)).toBe(false);
    const removed = page.getByRole("region", { name: "Removed lanes" });
    await removed.getByRole("listitem").filter({ hasText: "keeper" }).getByRole("button", { name: "Restore" }).click();
    await row(page, "keeper").getByText("1 changed").waitFor();
    await page.close();
  });

  it("that conflict with each other show it", async () => {
    const one = await bench.client.call("createLane", { body: { cwd: bench.folder, name: "one" } });
    const two = await bench.client.call("createLane", { body: { cwd: bench.folder, name: "two" } });
    for (const { path, name } of [one, two]) writeFileSync(join(path, "README.md"), `# ${name}\n`);
    const page = await bench.page("/lanes");
    await row(page, "one").getByText("Conflicts with two").waitFor();
    await row(page, "two").getByText("Conflicts with one").waitFor();
    await page.close();
  });
});
