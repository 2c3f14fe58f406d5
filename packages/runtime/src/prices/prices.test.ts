import { noUsage } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { listPrice, priceSource } from "./prices.ts";

const million = { ...noUsage, input: 1_000_000 };

describe("the list price of a turn", () => {
  it("has its own price for the cache, and counts reasoning as output", () => {
    const usage = { input: 1000, output: 100, cacheRead: 500, cacheWrite: 200, reasoning: 40 };
    // $3 and $15 a million, $0.30 from the cache, $3.75 into it: 300, 500, 200 and 100 tokens.
    expect(listPrice("claude-sonnet-4-5", usage)).toBeCloseTo((300 * 3 + 500 * 0.3 + 200 * 3.75 + 100 * 15) / 1e6, 12);
  });

  it.each([
    "claude-sonnet-4-5-20250929",
    "anthropic/claude-sonnet-4-5",
    "openrouter/anthropic/claude-sonnet-4.5",
    "claude-sonnet-4-5[1m]",
    "anthropic/claude-sonnet-4-5:high",
    "Claude-Sonnet-4-5",
  ])("finds %s", (model) => {
    expect(listPrice(model, million)).toBe(3);
  });

  it.each([
    ["gpt-5-codex", 1.25],
    ["openai/gpt-5", 1.25],
    ["gemini-2.5-pro", 1.25],
    ["google/gemini-2.5-pro", 1.25],
  ])("knows %s", (model, usd) => {
    expect(listPrice(model, million)).toBe(usd);
  });

  it.each([
    "scripted-1",
    "scripted/scripted-model",
    "ollama/claude-sonnet-4-5",
    "openai/claude-sonnet-4-5",
    "default",
    "",
  ])("returns no price for %s, which is in no list", (model) => {
    expect(listPrice(model, million)).toBeUndefined();
  });

  it("without the price of a cache counts it as input, and never less than nothing", () => {
    expect(listPrice("gpt-5", { ...million, cacheWrite: 1_000_000 })).toBe(1.25);
    expect(listPrice("gpt-5", { ...noUsage, input: 10, cacheRead: 1_000_000 })).toBe(0.125);
  });

  it("returns its source", () => {
    expect(priceSource()).toMatch(/^@pydantic\/genai-prices \d+\.\d+\.\d+, 20\d\d-\d\d-\d\d$/);
  });
});
