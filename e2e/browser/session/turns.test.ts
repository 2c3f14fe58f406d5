import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

let bench: Workbench;
useWorkbench((opened) => {
  bench = opened;
});

describe.skipIf(!CHROMIUM.met)("a turn that changed files", needs(CHROMIUM), () => {
  it("shows its exact diff, is reverted by file, and the revert is undone", async () => {
    const edited = join(bench.folder, "edit.txt");
    const { id } = await bench.session("[[edit]]", { mode: "full-auto", title: "Edits" });
    await bench.waitForState(id, "idle");
    await eventually("the checkpoint diff has arrived", async () => {
      const { turns } = await bench.client.call("listTurns", { params: { id } });
      return turns[0]?.checkpoint.after;
    });
    const page = await bench.page(`/s/${id}`);
    const log = page.getByRole("log", { name: "Transcript" });
    await log.getByText(/^Done in .*1 file/).click();
    await log.getByRole("button", { name: "Revert…" }).click();
    const dialog = page.getByRole("dialog", { name: "Revert turn" });
    await dialog.getByText("edit.txt").waitFor();
    await dialog.getByText("Deleted").waitFor();
    await dialog.getByRole("button", { name: "Revert 1 file" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(existsSync(edited)).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually("it is back", async () => existsSync(edited) && readFileSync(edited, "utf8").includes("FIRST"));
    await page.close();
  });

  it("shows which files were changed since before overwriting them", async () => {
    const { id } = await bench.session("[[edit]]", { mode: "full-auto", title: "Edits again" });
    await bench.waitForState(id, "idle");
    await eventually("the checkpoint diff has arrived", async () => {
      const { turns } = await bench.client.call("listTurns", { params: { id } });
      return turns[0]?.checkpoint.after;
    });
    writeFileSync(join(bench.folder, "edit.txt"), "mine\n");
    const { files } = await bench.client.call("revertTurn", {
      params: { id, turn: (await bench.client.call("listTurns", { params: { id } })).turns[0]?.turn ?? "" },
      body: { dry: true },
    });
    if (files.every((file) => file.action === "none")) return;
    const page = await bench.page(`/s/${id}`);
    const log = page.getByRole("log", { name: "Transcript" });
    await log.getByText(/^Done in .*file/).click();
    await log.getByRole("button", { name: "Revert…" }).click();
    await page.getByRole("dialog", { name: "Revert turn" }).getByText("Changed since").waitFor();
    expect(readFileSync(join(bench.folder, "edit.txt"), "utf8")).toBe("mine\n");
    await page.close();
  });
});
