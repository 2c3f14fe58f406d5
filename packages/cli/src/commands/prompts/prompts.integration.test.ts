import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-cli-prompts-"));
const gantry = commandLine(home);
afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
});

test("saves, lists, shows, replaces and deletes prompts, also after a restart of the daemon", async () => {
  expect((await gantry(["prompts"])).stdout).toContain("No saved prompts.");
  expect((await gantry(["prompts", "save", "review", "Review", "the change."])).stdout).toBe("Saved review.\n");
  expect((await gantry(["prompts", "save", "plan"], { input: "# Plan\n\nWrite a plan.\n" })).status).toBe(0);
  expect((await gantry(["prompts", "save", "review", "Review all."])).status).toBe(0);
  await gantry(["stop"]);
  expect((await gantry(["prompts", "show", "review"])).stdout).toBe("Review all.\n");
  const { prompts } = JSON.parse((await gantry(["prompts", "--json"])).stdout);
  expect(prompts).toMatchObject([
    { name: "plan", text: "# Plan\n\nWrite a plan." },
    { name: "review", text: "Review all." },
  ]);
  expect((await gantry(["prompts", "rm", "plan"])).stdout).toBe("Deleted plan.\n");
  const missing = await gantry(["prompts", "show", "plan"]);
  expect([missing.status !== 0, missing.stderr]).toEqual([
    true,
    expect.stringContaining("There is no saved prompt plan"),
  ]);
  expect((await gantry(["prompts", "rm", "plan"])).stderr).toContain("There is no saved prompt plan");
  expect((await gantry(["prompts", "save", "no/slash", "x"])).status).not.toBe(0);
  expect((await gantry(["prompts", "save", "empty", " "])).status).toBe(2);
}, 120_000);
