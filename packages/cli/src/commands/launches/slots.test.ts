import { expect, it } from "vitest";
import { parseSlot } from "./slots.ts";

it.each([
  ["claude", { agent: "claude" }],
  ["codex:gpt-5", { agent: "codex", model: "gpt-5" }],
  ["codex:gpt-5:full-auto", { agent: "codex", model: "gpt-5", mode: "full-auto" }],
  ["opencode::plan", { agent: "opencode", mode: "plan" }],
  ["opencode:plan", { agent: "opencode", mode: "plan" }],
  ["opencode:ollama/qwen3:8b", { agent: "opencode", model: "ollama/qwen3:8b" }],
])("%s", (text, slot) => {
  expect(parseSlot(text)).toEqual(slot);
});

it("needs an agent", () => {
  expect(() => parseSlot(":gpt-5")).toThrow("names no agent");
});
