import { expect, it } from "vitest";
import { bundledCatalogue } from "../catalogue/catalogue.ts";
import type { Model } from "../model.ts";
import { canonicalOf } from "./canonical.ts";

const { providers } = bundledCatalogue();
const model = (provider: string, id: string) => ({ provider, id }) as Model;
const name = canonicalOf(providers, {});

it.each([
  ["anthropic", "claude-opus-4-8", "claude-opus-4-8"],
  ["openrouter", "anthropic/claude-opus-4.8", "claude-opus-4-8"],
  ["amazon-bedrock", "us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
  ["amazon-bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"],
  ["github-copilot", "claude-sonnet-4.5", "claude-sonnet-4-5"],
  ["openrouter", "openai/gpt-5.5", "gpt-5.5"],
  ["mine", "gpt-5-5", "gpt-5.5"],
  ["azure", "gpt-4.1", "gpt-4.1"],
  ["groq", "openai/gpt-oss-120b", "openai/gpt-oss-120b"],
  ["openrouter", "z-ai/glm-5.3", "glm-5.3"],
])("the canonical id of %s/%s is %s", (provider, id, canonical) => {
  expect(name(model(provider, id))).toBe(canonical);
});

it.each([
  ["another product", "openrouter", "openai/gpt-5.5:batch"],
  ["a free one", "openrouter", "google/gemma-4-31b-it:free"],
  ["a faster one", "vercel-ai-gateway", "openai/gpt-5.5-fast"],
  ["a version that its maker does not have", "mine", "claude-opus-9.9"],
  ["somebody else's model of the name", "mine", "someone/claude-opus-4-8"],
])("%s is not equivalent to the model", (_, provider, id) => {
  expect(name(model(provider, id))).toBe(id);
});

it("prefers the user's overrides", () => {
  const own = canonicalOf(providers, {
    overrides: { "zenmux/codex": "gpt-5.3-codex", "openrouter/openai/gpt-5.5": "mine" },
    exclude: ["github-copilot/gpt-5.5"],
  });
  expect(own(model("zenmux", "codex"))).toBe("gpt-5.3-codex");
  expect(own(model("openrouter", "openai/gpt-5.5"))).toBe("mine");
  expect(own(model("github-copilot", "gpt-5.5"))).toBe("github-copilot/gpt-5.5");
});
