import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeSetting } from "../config/write-setting.ts";
import { provider, testRegistry } from "../registry/registry.harness.ts";
import { createModelRegistry } from "../registry/registry.ts";
import { BUILT_IN_PROFILES } from "./built-in.ts";

const WHERE = ["modelProfile", "default"] as const;

describe("profiles", () => {
  it("include 25 built-in ones, each with every role", () => {
    const families = ["codex", "glm", "kimi-coding-plan", "mimo", "grok", "cursor", "minimax"];
    const tiers = families.flatMap((family) => ["eco", "medium", "pro"].map((tier) => `${family}-${tier}`));
    const names = [...tiers, "opencodego", "claude-opus", "opus-codex", "codex-opencodego"];
    expect(new Set(BUILT_IN_PROFILES.keys())).toEqual(new Set(names));
    for (const { model_mapping } of BUILT_IN_PROFILES.values()) expect(Object.keys(model_mapping)).toHaveLength(5);
  });

  it("preview effective levels and providers without credentials", () => {
    const registry = testRegistry({}, { loggedIn: ["anthropic"] });
    const row = registry.profile("codex-eco")?.roles.find(({ role }) => role === "executor");
    expect(row).toMatchObject({ asked: "minimal", effective: "low", model: { id: "gpt-5.5" } });
    expect(registry.profile("opus-codex")).toMatchObject({ missing: ["openai-codex"], source: "built-in" });
    expect(registry.profile("cursor-pro")?.roles[0]).toMatchObject({ problem: expect.any(String) });
    expect(registry.profile("no-such")).toBeUndefined();
  });

  it("apply only when every required provider has a credential", () => {
    const registry = testRegistry({ config: "modelRoles: {default: xai/grok-4.3, extra: xai/grok-4.3}" });
    const refused = registry.useProfile("codex-eco");
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("openai-codex") });
    expect(registry.resolve("gantry/default")?.model.provider).toBe("xai");
    registry.loggedIn.add("openai-codex");
    expect(registry.useProfile("codex-eco")).toMatchObject({ ok: true });
    expect(registry.resolve("gantry/executor")).toMatchObject({ model: { id: "gpt-5.5" }, thinking: "low" });
    expect(registry.resolve("gantry/extra")?.model.provider).toBe("xai");
    expect(registry.useProfile("no-such")).toMatchObject({ ok: false });
  });

  it("of the user replace built-in ones of the same name, and unset roles keep their models", () => {
    const registry = testRegistry({
      models: `providers:\n${provider("mine", ["a", "b"])}profiles:\n  codex-pro: {required_providers: [mine], model_mapping: {executor: mine/b:max}}\nmodelBindings: {modelRoles: {default: mine/a}}\n`,
    });
    expect(registry.profile("codex-pro")).toMatchObject({
      source: "user",
      missing: [],
      roles: [{ effective: "high" }],
    });
    expect(registry.profiles().filter(({ name }) => name === "codex-pro")).toHaveLength(1);
    registry.useProfile("codex-pro");
    expect(registry.resolve("gantry/executor")).toMatchObject({ model: { id: "b" }, thinking: "high" });
    expect(registry.resolve("gantry/critic")).toMatchObject({ model: { id: "a" } });
  });

  it("that are the default apply at start, or a problem explains why not", () => {
    const config = "modelProfile: {default: codex-medium}";
    const ready = testRegistry({ config }, { loggedIn: ["openai-codex"] });
    expect(ready.initial()).toMatchObject({ model: { id: "gpt-5.5" }, thinking: "medium" });
    expect(testRegistry({ config }).problems()).toMatchObject([{ path: "modelProfile.default" }]);
  });

  it("reject several models in one role, and unknown roles", () => {
    const text = "profiles:\n  a: {model_mapping: {default: 'p/a,p/b'}}\n  b: {model_mapping: {cook: p/a}}\n";
    const registry = testRegistry({ models: text });
    const [first, second] = registry.problems();
    expect(first).toMatchObject({ line: 2, message: expect.stringContaining("one model") });
    expect(second).toMatchObject({ line: 3, path: "profiles.b.model_mapping.cook" });
  });

  it("that are saved apply from the next start, and the rest of the file is unchanged", () => {
    const registry = testRegistry(
      { config: "# mine\ncompaction:\n  enabled: false # not now\nmodelProfile: {default: glm-pro} # was\n" },
      { loggedIn: ["openai-codex"] },
    );
    const file = join(registry.home, "agent", "config.yml");
    expect(writeSetting(file, WHERE, "codex-pro")).toEqual({ ok: true });
    expect(readFileSync(file, "utf8")).toMatch(/^# mine\ncompaction:\n {2}enabled: false # not now\nmodelProfile:/);
    const next = createModelRegistry({
      home: registry.home,
      cwd: registry.home,
      env: {},
      credentials: { has: () => true, get: async () => undefined },
    });
    expect(next.resolve("gantry/executor")?.model).toMatchObject({ provider: "openai-codex" });
    next.close();
    writeFileSync(file, "modelProfile: [");
    expect(writeSetting(file, WHERE, "codex-pro")).toMatchObject({ ok: false });
    expect(readFileSync(file, "utf8")).toBe("modelProfile: [");
    const fresh = join(registry.home, "elsewhere", "config.yml");
    expect(writeSetting(fresh, WHERE, "codex-eco")).toEqual({ ok: true });
    expect(readFileSync(fresh, "utf8")).toBe("modelProfile:\n  default: codex-eco\n");
    const link = join(registry.home, "linked.yml");
    symlinkSync(fresh, link);
    expect(writeSetting(link, WHERE, "codex-pro")).toEqual({ ok: true });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(fresh, "utf8")).toBe("modelProfile:\n  default: codex-pro\n");
  });
});
