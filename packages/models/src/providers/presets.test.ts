import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkModels } from "../config/models-file.ts";
import { insertProvider } from "./edit-file.ts";
import { planProvider } from "./plan.ts";
import { PRESETS } from "./presets.ts";

function addPreset(path: string, name: string) {
  const plan = planProvider({ name }, () => false);
  if (!plan.ok || !plan.config) return plan;
  const edited = insertProvider(path, plan.provider, plan.config);
  return edited.ok ? { ...plan, added: edited.changed } : edited;
}

function file(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "gantry-presets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "agent/models.yml");
  if (text === undefined) return path;
  const there = join(folder, "models.yml");
  writeFileSync(there, text);
  return there;
}

it.each(Object.keys(PRESETS))("preset %s is valid, names its variable and contains no key", (name) => {
  const path = file();
  expect(addPreset(path, name)).toMatchObject({ ok: true, added: true });
  const text = readFileSync(path, "utf8");
  const { providers, problems } = checkModels(path, text);
  expect(problems).toEqual([]);
  expect([...providers.values()]).toMatchObject([{ apiKeyEnv: expect.stringMatching(/_API_KEY$/) }]);
  expect(text).not.toMatch(/apiKey:/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("adds a preset once and keeps existing entries and comments", () => {
  const path = file("# mine\nproviders:\n  p: # keep\n    baseUrl: http://h # here\nprofiles: {}\n");
  expect(addPreset(path, "glm")).toMatchObject({ added: true, provider: "glm-proxy", variable: "ZAI_API_KEY" });
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/^# mine\nproviders:\n {2}p: # keep\n {4}baseUrl: http:\/\/h # here\n {2}glm-proxy:\n/);
  expect(addPreset(path, "zai")).toMatchObject({ ok: true, added: false });
  expect(readFileSync(path, "utf8")).toBe(text);
});

it.each([
  ["nothing", ""],
  ["only a comment", "# mine"],
  ["another section", "profiles: {}\n"],
  ["an empty section", "providers:\nprofiles: {}\n"],
  ["braces", "providers: {p: {baseUrl: 'http://h'}} # here\n"],
  ["wide steps and no end of line", "providers:\n    p:\n        baseUrl: http://h"],
  ["comments below", "providers:\n  p:\n    baseUrl: http://h\n  # more to come\n\n# the end\nprofiles: {}\n"],
])("adds a preset to a file with %s", (_, text) => {
  const path = file(text);
  expect(addPreset(path, "minimax")).toMatchObject({ added: true });
  const after = readFileSync(path, "utf8");
  const { providers, problems } = checkModels(path, after);
  expect(problems).toEqual([]);
  expect(providers.get("minimax-code")?.apiKeyEnv).toBe("MINIMAX_CODE_API_KEY");
  expect([...providers.keys()].filter((id) => id !== "minimax-code")).toEqual([
    ...checkModels(path, text).providers.keys(),
  ]);
  for (const comment of text.match(/# .*/g) ?? []) expect(after).toContain(comment);
});

it("does not change a file that has a mistake, and reports its position", () => {
  const path = file("providers:\n  p: [\n");
  expect(addPreset(path, "glm")).toMatchObject({ ok: false, problem: { line: expect.any(Number) } });
  expect(readFileSync(path, "utf8")).toBe("providers:\n  p: [\n");
  expect(addPreset(file("- a\n"), "glm")).toMatchObject({ ok: false });
  expect(addPreset(file("providers: 7\n"), "glm")).toMatchObject({ ok: false });
});

it.each(["nonsense", "constructor", ""])("rejects the unknown preset %j", (name) => {
  const path = file();
  expect(addPreset(path, name)).toMatchObject({ ok: false, message: expect.stringContaining("minimax-cn") });
  expect(existsSync(path)).toBe(false);
});
