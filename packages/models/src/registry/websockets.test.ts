import { expect, it } from "vitest";
import { testRegistry } from "./registry.harness.ts";

const MODELS = `providers:
  proxy:
    baseUrl: https://proxy.example/v1
    auth: none
    api: openai-responses
    models: [{ id: mine }]
`;

it.each([
  [undefined, "auto", undefined],
  ["auto", "auto", undefined],
  ["on", "on", "on"],
  ["off", undefined, undefined],
])("with the setting %s OpenAI's servers use %s and others %s", (setting, official, other) => {
  const config = setting ? `providers: { openaiWebsockets: ${setting} }\n` : "";
  const registry = testRegistry({ models: MODELS, config });
  const websockets = (provider: string, id: string) => registry.find(provider, id)?.websockets;
  expect(websockets("openai-codex", "gpt-5.5")).toBe(official);
  expect(websockets("openai", "gpt-5.4")).toBe(official);
  expect(websockets("proxy", "mine")).toBe(other);
  expect(websockets("anthropic", "claude-opus-4-8")).toBeUndefined();
});
