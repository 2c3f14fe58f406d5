import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings, withDefaultWorkflow } from "./load.ts";
import { DEFAULT_SETTINGS, settingsSchema } from "./schema.ts";

let agentDir: string;
let cwd: string;

beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "gantry-settings-"));
  cwd = join(agentDir, "project");
  mkdirSync(join(cwd, ".gantry"), { recursive: true });
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const writeOwn = (text: string) => writeFileSync(join(agentDir, "config.yml"), text);
const project = (text: string) => writeFileSync(join(cwd, ".gantry", "config.yml"), text);
const load = () => loadSettings({ agentDir, cwd });

test("the defaults as data are those of the schema", () => {
  expect(DEFAULT_SETTINGS).toEqual(settingsSchema().parse({}));
});

test("uses defaults without files", async () => {
  expect(await load()).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
});

test("merges user and project settings key by key, dotted or nested", async () => {
  writeOwn("retry:\n  maxRetries: 5\n  maxDelayMs: 1000\nsteeringMode: all\n");
  project("retry.maxRetries: 1\n");
  const { settings, problems } = await load();
  expect(problems).toEqual([]);
  expect(settings.retry).toMatchObject({ maxRetries: 1, maxDelayMs: 1000, baseDelayMs: 2_000 });
  expect(settings.steeringMode).toBe("all");
});

test("reports an invalid key with its line and applies the rest", async () => {
  writeOwn("# mine\nsteeringMode: sideways\nretry:\n  maxRetries: 7\n  nonsense: 1\nunheard: of\n");
  const { settings, problems } = await load();
  expect(settings.steeringMode).toBe("one-at-a-time");
  expect(settings.retry.maxRetries).toBe(7);
  expect(problems.map(({ path, line }) => [path, line]).sort()).toEqual([
    ["retry.nonsense", 5],
    ["steeringMode", 2],
    ["unheard", 6],
  ]);
});

test("reports a file that is not YAML", async () => {
  writeOwn("retry: [1\n  x: {\n");
  const { settings, problems } = await load();
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, sandbox: "required" });
  expect(problems[0]).toMatchObject({ file: join(agentDir, "config.yml"), line: expect.any(Number) });
});

test("does not let a project extend its permissions", async () => {
  project("permissions:\n  mode: full-auto\nfetch:\n  allow: ['*']\nsecrets:\n  enabled: false\n");
  const { settings, problems } = await load();
  expect(settings.permissions.mode).toBe("ask");
  expect(settings.fetch.allow).toEqual([]);
  expect(problems.map(({ path }) => path)).toEqual(["permissions", "secrets", "fetch.allow"]);
});

test("reads the limits of memory, and reports those that are not possible", async () => {
  writeOwn(
    "memories:\n  enabled: true\n  maxRolloutAgeDays: 7\n  minRolloutIdleHours: 0.5\n  maxRolloutsPerStartup: 3\n  summaryInjectionTokenLimit: 900\n  concurrency: 0\n",
  );
  const { settings, problems } = await load();
  expect(settings.memories).toMatchObject({ enabled: true, maxRolloutAgeDays: 7, minRolloutIdleHours: 0.5 });
  expect(settings.memories).toMatchObject({
    maxRolloutsPerStartup: 3,
    summaryInjectionTokenLimit: 900,
    concurrency: 8,
  });
  expect(problems).toMatchObject([{ path: "memories.concurrency", line: 7, column: 16 }]);
});

test("leaves the keys of the model registry to it, except in a project", async () => {
  writeOwn("providers:\n  openaiWebsockets: off\ntask:\n  agentModelOverrides: { executor: a/b }\n");
  expect((await load()).problems).toEqual([]);
  project("providers:\n  openaiWebsockets: on\n");
  expect((await load()).problems).toMatchObject([{ path: "providers", line: 2, column: 3 }]);
});

test.each(["auto", "required", "off"])("the user chooses the sandbox: %s", async (sandbox) => {
  writeOwn(`sandbox: ${sandbox}\n`);
  expect(await load()).toMatchObject({ settings: { sandbox }, problems: [] });
});

test("does not let a project change the sandbox, in any spelling", async () => {
  writeOwn("sandbox: required\n");
  for (const text of [
    "sandbox: off\n",
    '"sandbox": auto\n',
    "{ sandbox: off }\n",
    "sandbox.mode: off\n",
    "sandbox: [1",
  ]) {
    project(text);
    expect((await load()).settings.sandbox).toBe("required");
  }
  writeOwn("");
  project("sandbox: off\n");
  const { settings, problems } = await load();
  expect(settings.sandbox).toBe("auto");
  expect(problems).toMatchObject([{ path: "sandbox", line: 1 }]);
});

test("treats an unreadable sandbox choice as required and reports it", async () => {
  for (const text of [
    "sandbox: requird\n",
    "sandbox: true\n",
    "sandbox:\n",
    "sandbox: { mode: off }\n",
    "sandbox: off\nx: [1",
  ]) {
    writeOwn(text);
    const { settings, problems } = await load();
    expect(settings.sandbox).toBe("required");
    expect(problems).toHaveLength(1);
  }
  writeOwn("sandbox: requird\n");
  expect((await load()).problems).toMatchObject([
    { path: "sandbox", line: 1, message: "Must be auto, required or off." },
  ]);
});

test("returns valid settings for any file content", async () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const keys = fc.constantFrom(...Object.keys(DEFAULT_SETTINGS), "__proto__", "constructor", "a.b", "retry.maxRetries");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(keys, value), { maxLength: 5 }), async (pairs) => {
      writeOwn(pairs.map(([key, each]) => `${JSON.stringify(key)}: ${JSON.stringify(each)}`).join("\n"));
      const { settings } = await load();
      expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(DEFAULT_SETTINGS)));
    }),
    { numRuns: 60 },
  );
});

test("resets the workflow of a client's session and keeps the other settings", async () => {
  writeOwn("todo:\n  enabled: false\n  remindersMax: 9\ntask.maxConcurrency: 1\nread.defaultLimit: 7\n");
  const { settings } = await load();
  expect(settings).toMatchObject({ todo: { enabled: false }, task: { maxConcurrency: 1 } });
  const { todo, task } = DEFAULT_SETTINGS;
  expect(withDefaultWorkflow(settings)).toEqual({ ...settings, todo, task });
  expect(withDefaultWorkflow(settings).read.defaultLimit).toBe(7);
});
