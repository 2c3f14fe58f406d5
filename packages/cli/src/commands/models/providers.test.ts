import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inProcess } from "../../command-line.harness.ts";

const KEY = "sk-piped-in-0123456789";
let home: string;
let server: ScriptedModel;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "gantry-cli-providers-"));
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});
const gantry = (args: string[], input?: string) => inProcess(home, ["models", ...args], input);
const mine = (...more: string[]) => ["add", "mine", "--url", `${server.url}/v1`, "--model", "scripted-model", ...more];

test("adds a server with a piped key, tests it, lists it and removes it", async () => {
  const added = await gantry(mine("--key"), `${KEY}\n`);
  expect(added).toMatchObject({ status: 0 });
  expect(added.stdout).toMatch(
    /mine was added to .*models\.yml\.\nmine: the key is stored as .*\n {2}mine\/scripted-model\n/,
  );
  expect(added.stdout).toMatch(/mine\/scripted-model answered after \d+ ms\./);
  expect(added.stdout + added.stderr).not.toContain(KEY);
  expect(readFileSync(join(home, "agent/models.yml"), "utf8")).not.toContain(KEY);
  expect((await gantry(["providers"])).stdout).toMatch(/✓ +mine +1 +models\.yml/);
  const tested = await gantry(["test", "mine", "--json"]);
  expect(JSON.parse(tested.stdout)).toMatchObject({ provider: "mine", ok: true, model: "mine/scripted-model" });
  const removed = await gantry(["remove", "mine"]);
  expect(removed.stdout).toContain("mine was removed");
  expect(removed.stderr).toContain("gantry auth logout mine");
  expect(await gantry(["remove", "mine"])).toMatchObject({ status: 2 });
});

test("a failed test is an error that states what was stored", async () => {
  const add = ["add", "gone", "--url", "http://127.0.0.1:1/v1", "--model", "m", "--keyless"];
  const { status, stderr } = await gantry(add);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/The test of gone with gone\/m failed.*were stored/);
  expect(stderr).toContain("gantry models test gone");
  expect((await gantry(["providers", "--json"])).stdout).toContain('"gone"');
  expect(await gantry(["add", "gone2", ...add.slice(2), "--no-test"])).toMatchObject({ status: 0 });
});

test.each([
  [["add"]],
  [["add", "nosuch"]],
  [["add", "x", "--preset", "glm"]],
  [["add", "x", "--url", "http://h", "--api", "no"]],
])("%j is a mistake in the call", async (args) => {
  expect(await gantry(args)).toMatchObject({ status: 2 });
});
