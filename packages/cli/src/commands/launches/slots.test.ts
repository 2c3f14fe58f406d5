import { expect, it } from "vitest";
import { parseSlot } from "./slots.ts";

it.each([
  ["claude", { agent: "claude" }],
  ["codex:gpt-5", { agent: "codex", model: "gpt-5" }],
  ["codex:gpt-5:full-auto", { agent: "codex", model: "gpt-5", mode: "full-auto" }],
  ["opencode::plan", { agent: "opencode", mode: "plan" }],
  ["opencode:plan", { agent: "opencode", mode: "plan" }],
  ["opencode:ollama/qwen3:8b", { agent: "opencode", model: "ollama/qwen3:8b" }],
  ["codex:default:plan,fast=default", { agent: "codex", model: null, mode: "plan", controls: { fast: null } }],
  ["codex,fast=on", { agent: "codex", controls: { fast: "on" } }],
  [
    "codex:gpt-5:ask,fast=off,sandbox=read-only",
    { agent: "codex", model: "gpt-5", mode: "ask", controls: { fast: "off", sandbox: "read-only" } },
  ],
])("%s", (text, slot) => {
  expect(parseSlot(text)).toEqual(slot);
});

it("needs an agent", () => {
  expect(() => parseSlot(":gpt-5")).toThrow("names no agent");
});
