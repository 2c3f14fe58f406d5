import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { provider, testRegistry } from "./registry.harness.ts";

const selector = (found: { model: { provider: string; id: string } } | undefined) =>
  found && `${found.model.provider}/${found.model.id}`;

describe("the models of the registry", () => {
  it("come from the catalogue and models.yml, and a mistake in the file hides nothing else", () => {
    const registry = testRegistry({ models: `providers:\n${provider("mine", ["a"])}  bad: {api: nonsense}\n` });
    expect(registry.find("mine", "a")).toMatchObject({ name: "a", api: "openai-completions", keyless: true });
    expect(registry.find("anthropic", "claude-opus-4-8")).toBeDefined();
    expect(registry.problems()).toMatchObject([{ path: "providers.bad.api", line: 9 }]);
  });

  it("come from both files, and the agent's file wins", () => {
    const registry = testRegistry({
      homeModels: `providers:\n${provider("p", ["home"])}${provider("q", ["home"])}`,
      models: `providers:\n${provider("p", ["agent"])}`,
    });
    expect(registry.find("p", "home")).toBeUndefined();
    expect(registry.find("p", "agent")).toBeDefined();
    expect(registry.find("q", "home")).toBeDefined();
  });

  it("get the overrides of their provider, then their own", () => {
    const registry = testRegistry({
      models: `providers:
  openrouter:
    baseUrl: https://proxy.example/v1
    headers: {X-Team: platform}
    compat: {openRouterRouting: {order: [b]}, extraBody: {a: 1}}
    cacheRetention: long
    modelOverrides:
      anthropic/claude-opus-4.8:
        name: Opus (Corp)
        cost: {input: 1}
        headers: {x-team: mine}
        compat: {openRouterRouting: {only: [anthropic]}, extraBody: {b: 2}}
`,
    });
    const model = registry.find("openrouter", "anthropic/claude-opus-4.8");
    expect(model).toMatchObject({ name: "Opus (Corp)", baseUrl: "https://proxy.example/v1", cacheRetention: "long" });
    expect(model?.cost).toMatchObject({ input: 1, output: 25 });
    expect(model?.headers).toEqual({ "x-team": "mine" });
    expect(model?.compat).toMatchObject({
      openRouterRouting: { order: ["b"], only: ["anthropic"] },
      extraBody: { a: 1, b: 2 },
    });
    expect(registry.find("openrouter", "openai/gpt-5.5")?.headers).toEqual({ "X-Team": "platform" });
  });

  it("are replaced by user models of the same id, which inherit unset fields", () => {
    const registry = testRegistry({
      models: `providers:
  openai:
    baseUrl: https://proxy.example/v1
    apiKey: literal
    api: openai-completions
    requestTransform: {profile: openai-proxy, setHeaders: {a: "1"}}
    models:
      - id: gpt-5.5
        contextWindow: 1000
        wireModelId: upstream
        requestTransform: {setHeaders: {b: null}}
      - id: new
`,
    });
    expect(registry.find("openai", "gpt-5.5")).toMatchObject({
      name: "GPT-5.5",
      api: "openai-completions",
      contextWindow: 1000,
      maxTokens: 128000,
      reasoning: true,
      wireModelId: "upstream",
      requestTransform: { profile: "openai-proxy", setHeaders: { a: "1", b: null } },
    });
    expect(registry.find("openai", "new")).toMatchObject({ contextWindow: 128000, maxTokens: 16384, input: ["text"] });
    expect(registry.find("openai", "gpt-5.4")?.api).toBe("openai-responses");
  });

  it("record where the key is sent, and never contain it", () => {
    const text = `providers:\n  p:\n    baseUrl: http://h\n    api: anthropic-messages\n    authHeader: true\n    apiKey: PROXY_KEY\n    models: [{id: m}]\n`;
    const registry = testRegistry({ models: text }, { env: { PROXY_KEY: "from-env" } });
    expect(registry.find("p", "m")).toMatchObject({ authHeader: true });
    expect(JSON.stringify(registry.all())).not.toContain("from-env");
  });

  it("become available as soon as their provider has a credential, or if it needs none", () => {
    const registry = testRegistry({ models: `providers:\n${provider("mine", ["a"])}` });
    expect(registry.available().map(({ provider: name }) => name)).toEqual(["mine"]);
    registry.loggedIn.add("xai");
    expect(new Set(registry.available().map(({ provider: name }) => name))).toEqual(new Set(["xai", "mine"]));
  });

  it("are re-read by a refresh, which notifies listeners of changes only", async () => {
    const registry = testRegistry({}, { settings: undefined as never, fetch: () => Promise.reject(new Error("off")) });
    let changes = 0;
    const stop = registry.onChange(() => changes++);
    await registry.refresh("offline");
    expect(changes).toBe(0);
    writeFileSync(join(registry.home, "agent/models.yml"), `providers:\n${provider("late", ["a"])}`);
    await registry.refresh("offline");
    expect(changes).toBe(1);
    expect(registry.find("late", "a")).toBeDefined();
    stop();
    writeFileSync(join(registry.home, "agent/models.yml"), "");
    await registry.refresh("offline");
    expect(changes).toBe(1);
  });
});

describe("the settings of config.yml", () => {
  it("disable providers and limit models, in some folders or everywhere", () => {
    const config = (path: string) => `disabledProviders: [xai, {path: ${path}, providers: [anthropic]}]
enabledModels: [claude-opus-4-8, {paths: [${path}], models: ["openai/*"]}]\nother: ignored\n`;
    const loggedIn = ["anthropic", "openai", "xai"];
    const here = testRegistry({ config: config("/") }, { loggedIn });
    expect(here.resolve("xai/grok-4.3")).toBeUndefined();
    expect(here.resolve("anthropic/claude-opus-4-8")).toBeUndefined();
    expect(new Set(here.available().map(({ provider: name }) => name))).toEqual(new Set(["openai"]));
    const there = testRegistry({ config: config("/nowhere") }, { loggedIn });
    expect(selector(there.resolve("claude-opus-4-8"))).toBe("anthropic/claude-opus-4-8");
    expect(there.available()).toHaveLength(1);
  });

  it("are reported with their line if they are invalid, and the valid ones apply", () => {
    const registry = testRegistry(
      {
        config:
          "modelRoles: {default: anthropic/claude-opus-4-8}\nenabledModels: 7\ndisabledProviders:\n  - path: ~/x\n",
      },
      { loggedIn: ["anthropic"] },
    );
    expect(registry.problems()).toMatchObject([
      { line: 2, path: "enabledModels" },
      { line: 4, path: "disabledProviders[0]", message: expect.stringContaining("providers or values") },
    ]);
    expect(selector(registry.initial())).toBe("anthropic/claude-opus-4-8");
  });

  it("set the provider order for equivalent models", () => {
    const loggedIn = ["anthropic", "openrouter", "opencode"];
    expect(selector(testRegistry({}, { loggedIn }).resolve("claude-opus-4-8"))).toBe("anthropic/claude-opus-4-8");
    const ordered = testRegistry({ config: "modelProviderOrder: [github-copilot, openrouter]" }, { loggedIn });
    expect(selector(ordered.resolve("claude-opus-4-8"))).toBe("openrouter/anthropic/claude-opus-4.8");
  });
});

describe("the initial model", () => {
  const models = `providers:\n${provider("mine", ["a", "b"])}modelBindings: {modelRoles: {default: mine/b}}\n`;

  it("is the requested one, else from the scope, the saved one, a default, or any", () => {
    const loggedIn = ["openai"];
    const registry = testRegistry({ models }, { loggedIn });
    expect(selector(registry.initial({ selector: "mine/a:low", scoped: ["openai/*"] }))).toBe("mine/a");
    expect(registry.initial({ selector: "nowhere/x", scoped: ["openai/*"] })).toBeUndefined();
    expect(selector(registry.initial({ scoped: ["xai/*", "openai/gpt-5.5:high"] }))).toBe("openai/gpt-5.5");
    expect(selector(registry.initial({ scoped: ["openai/*"], resuming: true }))).toBe("mine/b");
    expect(selector(testRegistry({}, { loggedIn }).initial())).toBe("openai/gpt-6-sol");
    expect(selector(testRegistry({ models: `providers:\n${provider("mine", ["a"])}` }).initial())).toBe("mine/a");
    expect(testRegistry().initial()).toBeUndefined();
  });
});

describe("the roles", () => {
  it("resolve to models, may refer to each other, and the outermost level wins", () => {
    const registry = testRegistry({
      models: `providers:\n${provider("mine", ["a", "b"])}modelBindings: {agentModelOverrides: {critic: mine/b}}\n`,
      config:
        "modelRoles: {default: 'mine/a:high', planner: 'gantry/default:low', slow: gantry/planner, x: gantry/y, y: gantry/x}",
    });
    expect(registry.resolve("gantry/default")).toMatchObject({ model: { id: "a" }, thinking: "high" });
    expect(registry.resolve("pi/planner")).toMatchObject({ model: { id: "a" }, thinking: "low" });
    expect(registry.resolve("gantry/slow:minimal")).toMatchObject({ thinking: "minimal" });
    expect(registry.resolve("gantry/executor")).toMatchObject({ model: { id: "a" }, thinking: "high" });
    expect(registry.resolve("gantry/critic")).toMatchObject({ model: { id: "b" } });
    expect(registry.resolve("gantry/x")).toBeUndefined();
    expect(registry.explain("gantry/x").why.join()).toContain("refers to itself");
    expect(registry.resolve("gantry/unheard-of")).toBeUndefined();
  });
});

describe("context promotion", () => {
  const models = `providers:
  p:
    baseUrl: http://h
    auth: none
    api: openai-completions
    models:
      - {id: small, contextWindow: 10}
      - {id: large, contextWindow: 30}
      - {id: middle, contextWindow: 20}
      - {id: named, contextWindow: 10, contextPromotionTarget: large}
      - {id: far, contextWindow: 10, contextPromotionTarget: openai/gpt-5.5}
      - {id: other, contextWindow: 15, api: openai-responses}
`;

  it("is off by default, and picks the target or the next larger model with the same wire format", () => {
    const off = testRegistry({ models });
    expect(off.promotion(off.find("p", "small")!)).toBeUndefined();
    const registry = testRegistry({ models, config: "contextPromotion: {enabled: true}" });
    const to = (id: string) => registry.promotion(registry.find("p", id)!)?.id;
    expect(to("small")).toBe("middle");
    expect(to("named")).toBe("large");
    expect(to("large")).toBeUndefined();
    expect(to("far")).toBe("middle");
    registry.loggedIn.add("openai");
    expect(to("far")).toBe("gpt-5.5");
    expect(registry.promotion(registry.find("openai", "gpt-5.3-codex-spark")!)?.id).toBe("gpt-5.3-codex");
  });
});

describe("the thinking level", () => {
  it("is the requested one, else the next higher, else the highest that the model supports", () => {
    const registry = testRegistry();
    const codex = registry.find("openai-codex", "gpt-5.5")!;
    expect(registry.levels(codex)).toEqual(["off", "low", "medium", "high", "xhigh"]);
    expect(registry.clamp(codex, "minimal")).toBe("low");
    expect(registry.clamp(codex, "max")).toBe("xhigh");
    expect(registry.clamp(codex, "off")).toBe("off");
    expect(registry.nextLevel(codex, "xhigh")).toBe("off");
    expect(registry.nextLevel(codex, "minimal")).toBe("medium");
    const plain = registry.find("openai", "gpt-4.1")!;
    expect(registry.levels(plain)).toEqual(["off"]);
    expect(registry.clamp(plain, "high")).toBe("off");
  });
});
