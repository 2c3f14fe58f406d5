import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model as RegistryModel } from "@gantry/models";
import type { Model, SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { SMALL_MODELS } from "../agents/probing/fallback.ts";
import { builtInAgents } from "../agents/registry.ts";
import { Config } from "../config.ts";
import { type ChoiceDeps, chooseWriter } from "./choose-writer.ts";
import { findCheapModel, findSmallModel, selectorOf } from "./small-model.ts";

const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  name: id,
  default: false,
  efforts: [],
  ...more,
});
const descriptor = (id: string) => builtInAgents.find((agent) => agent.id === id)!;

describe("the small model of an agent", () => {
  it.each([
    ["claude", ["default", "opus", "sonnet", "haiku"], "haiku"],
    ["codex", ["gpt-6-sol", "gpt-6-astra", "gpt-6-luna"], "gpt-6-luna"],
    ["codex", ["gpt-5.5", "gpt-5.4-mini"], "gpt-5.4-mini"],
    ["gemini", ["auto", "gemini-2.5-pro", "gemini-3-flash-preview", "gemini-3.5-flash-lite"], "gemini-3.5-flash-lite"],
    ["copilot", ["claude-sonnet-5", "gpt-5-mini", "claude-haiku-4.5"], "gpt-5-mini"],
    ["codex", ["gpt-5.5", "minimal-gpt"], undefined],
    ["cursor", ["composer-mini", "haiku"], undefined],
  ])("of %s among %j is %s", (agent, ids, expected) => {
    const models = ids.map((id) => model(id));
    expect(findSmallModel(descriptor(agent), models, ids[0])).toBe(expected);
  });

  it("belongs to the provider of the session's model where an agent serves several", () => {
    const many = { smallModels: SMALL_MODELS, providerInModel: true as const };
    const models = [
      model("openai/gpt-5-mini"),
      model("anthropic/claude-haiku-4-5"),
      model("big/one", { default: true }),
    ];
    expect(findSmallModel(many, models, "anthropic/claude-opus-5")).toBe("anthropic/claude-haiku-4-5");
    expect(findSmallModel(many, models, undefined)).toBeUndefined();
    expect(findSmallModel(many, models, "ollama/qwen3")).toBeUndefined();
  });

  it("is the cheapest match of the first pattern that matches, and not a deprecated one", () => {
    const price = (input: number) => ({ price: { input, output: 1 } });
    const models = [model("a-flash", price(3)), model("b-flash", price(1)), model("c-flash", { deprecated: true })];
    expect(findSmallModel({ smallModels: ["*-nano", "*-flash"] }, models, "a-flash")).toBe("b-flash");
  });
});

const priced = (provider: string, id: string, input: number, output = input * 4): RegistryModel =>
  ({
    ...{ provider, id, input: ["text"], contextWindow: 128_000, maxTokens: 8000 },
    cost: { input, output, cacheRead: 0, cacheWrite: 0 },
  }) as unknown as RegistryModel;

describe("the cheap model of the registry", () => {
  const models = [
    priced("anthropic", "claude-haiku-4-5", 1, 5),
    priced("anthropic", "claude-opus-5", 5, 25),
    priced("openai", "gpt-5-nano", 0.05, 0.4),
    priced("openai", "gpt-4o-mini-tts", 0.01, 0.02),
    priced("mistral", "ministral-3b", 0.04, 0.04),
    priced("free", "router-mini", 0, 0),
  ];
  const find = (wish: Parameters<typeof findCheapModel>[1]) => {
    const found = findCheapModel(models, wish);
    return found && selectorOf(found);
  };

  it("is the cheapest small one that has a price and writes text", () => {
    expect(find({})).toBe("openai/gpt-5-nano");
  });

  it("prefers the provider of the session's agent", () => {
    expect(find({ provider: "anthropic" })).toBe("anthropic/claude-haiku-4-5");
    expect(find({ provider: "xai" })).toBe("openai/gpt-5-nano");
  });

  it("stays with the provider of a session of the own agent", () => {
    expect(find({ current: models[1] })).toBe("anthropic/claude-haiku-4-5");
    expect(find({ current: priced("zai", "glm-5.3", 1.4) })).toBeUndefined();
  });

  it("is the session's own model where that has no price, such as a local one", () => {
    const local = priced("ollama", "qwen3", 0);
    expect(find({ current: local })).toBe("ollama/qwen3");
    expect(find({ current: local, without: new Set(["ollama/qwen3"]) })).toBeUndefined();
  });

  it("is the next one when the provider does not serve the first", () => {
    expect(find({ without: new Set(["openai/gpt-5-nano"]) })).toBe("anthropic/claude-haiku-4-5");
  });
});

describe("the writer of a text", () => {
  const deps = (more: Partial<ChoiceDeps> = {}): ChoiceDeps => ({
    config: Config.parse({}),
    isOff: false,
    agent: (id) => builtInAgents.find((agent) => agent.id === id),
    registryAgent: "gantry",
    models: async (id) => (id === "claude" ? [model("opus", { default: true }), model("haiku")] : []),
    profile: () => undefined,
    env: {},
    sessionEnv: () => ({}),
    registry: { findModel: async () => "openai/gpt-5-nano" },
    ...more,
  });

  it.each<[string, Partial<ChoiceDeps>, string, object | undefined]>([
    ["is a small model of the agent", {}, "claude", { by: "agent", agent: "claude", model: "haiku" }],
    ["is a model of a key if the agent has no small one", {}, "kimi", { by: "registry", model: "openai/gpt-5-nano" }],
    [
      "is the configured agent first",
      { config: Config.parse({ scribe: { agent: "codex" } }) },
      "claude",
      { by: "configuration", agent: "codex", model: undefined },
    ],
    [
      "is missing without a small model and without a key",
      { registry: { findModel: async () => undefined } },
      "kimi",
      undefined,
    ],
    ["is missing where automatic choice is off", { isOff: true }, "claude", undefined],
    ["is missing for a demonstration", {}, "scripted", undefined],
    ["is missing for an unknown agent", {}, "unknown", undefined],
    ["is missing for a user's own program", { profile: () => ({ env: {}, hasProgram: true }) }, "kimi", undefined],
  ])("%s", async (_, more, agent, expected) => {
    const { writer, why } = await chooseWriter(deps(more), { agent });
    expect(why).toMatch(/^[A-Z].*\.$/);
    if (expected) expect(writer).toMatchObject(expected);
    else expect(writer).toBeUndefined();
  });

  it.each(["opencode", "kilo"])(
    "is the small_model of the user's own %s configuration, if it is listed",
    async (id) => {
      const home = mkdtempSync(join(tmpdir(), "gantry-small-"));
      const folder = join(home, ".config", id);
      mkdirSync(folder, { recursive: true });
      const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
      const models = async () => [model("a/big", { default: true }), model("a/x-mini"), model("b/chosen")];
      const view = { id: "ses_1", agent: id, model: "a/big" } as SessionView;
      const written = async (more: Record<string, string> = {}) => {
        const { writer } = await chooseWriter(deps({ models, env: { HOME: home, ...more } }), { view });
        return writer?.model;
      };
      expect(await written()).toBe("a/x-mini");
      write(`${id}.json`, '{ "small_model": "gone/unlisted" }');
      expect(await written()).toBe("a/x-mini");
      write(`${id}.jsonc`, '{\n  // "small_model": "a/x-mini",\n  "small_model": "b/chosen",\n}\n');
      expect(await written()).toBe("b/chosen");
      expect(await written({ [`${id.toUpperCase()}_CONFIG_CONTENT`]: '{ "small_model": "a/big" }' })).toBe("a/big");
      expect(await written({ XDG_CONFIG_HOME: join(home, "none") })).toBe("a/x-mini");
      write(`${id}.jsonc`, "{ broken");
      expect(await written()).toBe("a/x-mini");
      rmSync(home, { recursive: true });
    },
  );

  it("never sends the text of a session with a local model to another provider", async () => {
    const models = async () => [model("ollama/qwen3", { local: true, default: true }), model("cloud/small")];
    const view = { id: "ses_1", agent: "opencode", model: "ollama/qwen3" } as SessionView;
    expect((await chooseWriter(deps({ models }), { view })).writer).toBeUndefined();
    const env = { OPENCODE_CONFIG_CONTENT: '{ "small_model": "cloud/small" }' };
    expect((await chooseWriter(deps({ models, env }), { view })).writer).toBeUndefined();
  });
});
