import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkModels, readModelsConfig } from "./models-file.ts";

const check = (text: string) => checkModels("models.yml", text);
const GOOD = `  good:
    baseUrl: http://127.0.0.1:8000/v1
    auth: none
    api: openai-completions
    models:
      - id: one
`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "gantry-models-file-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("a mistake in models.yml", () => {
  it.each([
    ["an unknown key of a provider", "    modelz: 1\n", 3, 5, "providers.bad.modelz", /Did you mean "models"/],
    [
      "an unknown key of a model",
      "    models:\n      - id: x\n        size: 3\n",
      5,
      9,
      "models[0].size",
      /Unknown key/,
    ],
    [
      "a window of nothing",
      "    models:\n      - id: x\n        contextWindow: 0\n",
      5,
      24,
      "contextWindow",
      /more than 0/,
    ],
    ["a word that is no format", "    api: cursor-agent\n", 3, 10, "providers.bad.api", /Expected one of/],
    ["an address that is none", "    baseUrl: localhost\n", 3, 14, "providers.bad.baseUrl", /http/],
    ["a model without id", "    models:\n      - name: x\n", 4, 9, "models[0].id", /missing/],
    ["levels outside of the range", thinkingConfig("levels: [max]"), 9, 19, "thinking.levels", /between/],
    [
      "an unknown key of a transform",
      "    requestTransform:\n      header: x\n",
      4,
      7,
      "requestTransform.header",
      /Unknown/,
    ],
  ])("%s is reported with line and column, and hides only its provider", (_, text, line, column, path, message) => {
    const { problems, providers } = check(`providers:\n  bad:\n${text}${GOOD}`);
    expect(problems[0]).toMatchObject({ file: "models.yml", line, column, path: expect.stringContaining(path) });
    expect(problems[0]?.message).toMatch(message);
    expect([...providers.keys()]).toEqual(["good"]);
  });

  function thinkingConfig(last: string): string {
    return `    models:\n      - id: x\n        thinking:\n          minLevel: low\n          maxLevel: high\n          mode: effort\n          ${last}\n`;
  }

  it.each([
    ["models without an address", "api: openai-completions, auth: none, models: [{id: x}]", /baseUrl/],
    ["models without a key", "baseUrl: 'http://h', api: openai-completions, models: [{id: x}]", /apiKey/],
    [
      "a login instead of a key",
      "baseUrl: 'http://h', api: openai-responses, auth: oauth, models: [{id: x}]",
      /apiKey/,
    ],
    ["models without a format", "baseUrl: 'http://h', auth: none, models: [{id: x}]", /"api" is missing/],
    [
      "two models of one id",
      "baseUrl: 'http://h', api: ollama-chat, auth: none, models: [{id: x}, {id: x}]",
      /two models/,
    ],
    ["no settings", "apiKey: x", /at least one of/],
    ["discovery without a format", "discovery: {type: ollama}", /needs "api"/],
    ["two keys", "apiKey: x, apiKeyEnv: Y, baseUrl: 'http://h'", /not both/],
  ])("%s is refused", (_, text, message) => {
    const { problems, providers } = check(`providers: {p: {${text}}}`);
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]).toMatchObject({ line: 1, column: expect.any(Number) });
    expect(providers.size).toBe(0);
  });

  it("in the syntax is reported with its position", () => {
    const { problems, providers } = check(`providers:\n${GOOD}  other: [1\n`);
    expect(problems[0]?.line).toBeGreaterThanOrEqual(8);
    expect(problems[0]?.message).toContain("Invalid YAML");
    expect(providers.size).toBe(0);
  });

  it("such as an unknown section hides nothing else", () => {
    const { problems, providers } = check(`providers:\n${GOOD}provider: {}\n`);
    expect(problems).toMatchObject([{ line: 8, column: 1, path: "provider" }]);
    expect(providers.size).toBe(1);
  });

  it("is never thrown, for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `providers:\n  a: ${text}`),
        ),
        (text) => {
          for (const { line, column } of check(text).problems) {
            expect(line).toBeGreaterThan(0);
            expect(column).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it("such as an alias bomb is reported", () => {
    const bomb = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}]`).join("\n");
    expect(check(`l0: &l0 x\n${bomb}`).problems[0]?.message).toContain("Cannot be parsed");
  });
});

describe("a valid models.yml", () => {
  it("needs no key for vendors with their own credential chain", () => {
    const text = "providers: {b: {baseUrl: 'https://h', api: bedrock-converse-stream, models: [{id: x}]}}";
    expect(check(text).problems).toEqual([]);
  });

  it("may contain every documented field", () => {
    const { problems } = check(`providers:
  p:
    baseUrl: https://api.example.com/v1
    apiKeyEnv: KEY
    api: openai-completions
    headers: {X-Team: platform}
    authHeader: true
    auth: apiKey
    disableStrictTools: false
    cacheRetention: short
    requestTransform: {profile: openai-proxy, stripHeaders: [a], setHeaders: {b: null}, extraBody: {c: 1}}
    modelOverrides: {m: {name: Renamed, cacheRetention: long, contextPromotionTarget: p/n, cost: {input: 1}}}
    models:
      - id: m
        name: M
        api: openai-responses
        reasoning: true
        input: [text, image]
        cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}
        contextWindow: 128000
        maxTokens: 16384
        wireModelId: upstream
        thinking: {minLevel: low, maxLevel: xhigh, mode: effort, defaultLevel: high, levels: [low, high, xhigh]}
        compat: {supportsStore: true, openRouterRouting: {only: [a]}, vercelGatewayRouting: {order: [b]}, extraBody: {g: 1}}
modelBindings: {modelRoles: {default: p/m:high}, agentModelOverrides: {executor: p/m}}
equivalence: {overrides: {p/m: gpt-5.5}, exclude: [p/n]}
profiles: {mine: {required_providers: [p], model_mapping: {default: p/m}}}
`);
    expect(problems).toEqual([]);
  });

  it("may be JSON with comments, with correct positions", () => {
    const text = `{ // a comment with "quotes"\n  "providers": {\n    "p": { "baseUrl": "http://h//x", "oops": 1, },\n  },\n}`;
    expect(checkModels("models.jsonc", text).problems).toMatchObject([{ line: 3, path: "providers.p.oops" }]);
  });
});

describe("model files", () => {
  it("override earlier ones, provider by provider", () => {
    const dir = folder();
    writeFileSync(join(dir, "a.yml"), "providers: {p: {baseUrl: 'http://a'}, q: {baseUrl: 'http://q'}}");
    writeFileSync(join(dir, "b.yml"), "providers: {p: {headers: {x: y}}}");
    const { providers } = readModelsConfig([join(dir, "a.yml"), join(dir, "b.yml"), join(dir, "none.yml")]);
    expect(providers.get("p")).toEqual({ headers: { x: "y" } });
    expect(providers.get("q")).toEqual({ baseUrl: "http://q" });
  });

  it("in the legacy format are migrated once", () => {
    const dir = folder();
    writeFileSync(join(dir, "models.json"), '{"providers": {"p": {"baseUrl": "http://old"}}} // old');
    const file = join(dir, "models.yml");
    expect(readModelsConfig([file]).providers.get("p")).toEqual({ baseUrl: "http://old" });
    expect(readFileSync(file, "utf8")).toContain("baseUrl: http://old");
    expect(existsSync(join(dir, "models.json"))).toBe(false);
    writeFileSync(join(dir, "models.json"), '{"providers": {"p": {"baseUrl": "http://older"}}}');
    expect(readModelsConfig([file]).providers.get("p")).toEqual({ baseUrl: "http://old" });
  });

  it("that cannot be read are reported as problems", () => {
    const dir = folder();
    expect(readModelsConfig([dir]).problems).toMatchObject([
      { file: dir, message: expect.stringContaining("cannot be read") },
    ]);
    writeFileSync(join(dir, "models.json"), '{"providers": ');
    const { problems } = readModelsConfig([join(dir, "models.yml")]);
    expect(problems[0]?.message).toContain("models.json");
    expect(existsSync(join(dir, "models.yml"))).toBe(false);
  });
});
