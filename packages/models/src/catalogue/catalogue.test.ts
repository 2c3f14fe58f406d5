import { expect, it } from "vitest";
import { APIS, EFFORTS } from "../model.ts";
import { BUILT_IN_PROFILES } from "../profiles/built-in.ts";
import { DEFAULT_MODELS } from "../resolver/initial.ts";
import { clampLevel, levelsOf } from "../thinking-levels.ts";
import { bundledCatalogue } from "./catalogue.ts";

const { providers, source, made } = bundledCatalogue();
const all = [...providers.values()].flat();
const find = (selector: string) => all.find(({ provider, id }) => `${provider}/${id}` === selector);

it("records its source, and contains valid models", () => {
  expect(source).toMatch(/^@earendil-works\/pi-ai \d/);
  expect(made).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(all.length).toBeGreaterThan(1000);
  for (const model of all) {
    expect(APIS).toContain(model.api);
    expect(model.contextWindow).toBeGreaterThan(0);
    expect(model.maxTokens).toBeGreaterThan(0);
    expect(model.input).toContain("text");
    const { tiers = [], ...prices } = model.cost;
    for (const price of [prices, ...tiers].flatMap((one) => Object.values(one)))
      expect(price).toBeGreaterThanOrEqual(0);
    if (model.api !== "azure-openai-responses") expect(model.baseUrl).toMatch(/^https:/);
  }
  expect(new Set(all.map(({ provider, id }) => `${provider}/${id}`)).size).toBe(all.length);
});

it("has valid thinking levels", () => {
  for (const model of all) {
    expect(model.reasoning).toBe(model.thinking !== undefined);
    for (const level of EFFORTS) expect(levelsOf(model)).toContain(clampLevel(model, level));
  }
  expect(find("anthropic/claude-opus-4-8")?.thinking).toEqual({
    minLevel: "low",
    maxLevel: "max",
    mode: "anthropic-adaptive",
  });
  expect(find("anthropic/claude-haiku-4-5")?.thinking).toMatchObject({ mode: "budget" });
  expect(find("openai-codex/gpt-5.5")?.thinking).toEqual({ minLevel: "low", maxLevel: "xhigh", mode: "effort" });
  expect(find("openai/gpt-5.3-codex-spark")?.contextPromotionTarget).toBe("gpt-5.3-codex");
});

it("offers Google's Gemini models at Cloud Code Assist, without a price", () => {
  const models = providers.get("google-gemini-cli") ?? [];
  expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(["gemini-2.5-pro", "gemini-2.5-flash"]));
  for (const { id, api, cost } of models) {
    expect(id).not.toMatch(/image|live|computer/);
    expect({ api, cost }).toMatchObject({ api: "google-gemini-cli", cost: { input: 0, output: 0 } });
  }
});

it("has price tiers for long contexts", () => {
  expect(find("openai/gpt-5.4")?.cost).toEqual({
    input: 2.5,
    output: 15,
    cacheRead: 0.25,
    cacheWrite: 0,
    tiers: [{ inputTokensAbove: 272000, input: 5, output: 22.5, cacheRead: 0.5, cacheWrite: 0 }],
  });
  expect(all.filter(({ cost }) => cost.tiers).length).toBeGreaterThan(20);
});

it("contains every default model and every model of the built-in profiles, except those of Cursor", () => {
  for (const [provider, id] of DEFAULT_MODELS) expect(find(`${provider}/${id}`), `${provider}/${id}`).toBeDefined();
  expect(BUILT_IN_PROFILES.size).toBe(25);
  for (const { model_mapping } of BUILT_IN_PROFILES.values()) {
    for (const selector of Object.values(model_mapping)) {
      if (selector.startsWith("cursor/")) continue;
      expect(find(selector.replace(/:[a-z]+$/, "")), selector).toBeDefined();
    }
  }
});
