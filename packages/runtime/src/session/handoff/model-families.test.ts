import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { findOtherAgents } from "./model-families.ts";

const row = (id: string, models: string[], more: Partial<AgentRow> = {}): AgentRow => ({
  id,
  name: id.toUpperCase(),
  state: "ready",
  auth: { state: "unknown", how: "test" },
  channel: "x",
  modes: [],
  steer: "queue",
  resume: "id",
  fork: false,
  models: { source: "live", items: models.map((name) => ({ id: name, name, default: false, efforts: [] })) },
  problems: [],
  offers: [],
  ...more,
});

const anthropic = row("a", ["default", "opus", "sonnet[1m]", "haiku"]);
const openai = row("o", ["gpt-5.1", "gpt-5.1-codex-mini"]);
const many = row("m", ["anthropic/claude-opus-4-1", "claude-opus-4-1", "gpt-5.1", "gemini-3-pro"]);
const rows = [anthropic, openai, many];
const agents = (model: string, own: AgentRow, all = rows) => findOtherAgents(model, own, all).map(({ agent }) => agent);

describe("a model", () => {
  it("that the session's own agent lists is not elsewhere", () => {
    expect(agents("gpt-5.1", openai)).toEqual([]);
  });

  it("of the same family is not elsewhere, though only another agent lists it", () => {
    expect(agents("claude-opus-4-1", anthropic)).toEqual([]);
    expect(agents("gpt-5.1-codex", openai, [row("x", ["gpt-5.1-codex"])])).toEqual([]);
  });

  it("of another family is with those who list it, the one that is logged in first", () => {
    expect(agents("gpt-5.1", anthropic)).toEqual(["o", "m"]);
    const loggedIn = { ...many, auth: { state: "ok" as const, how: "test" } };
    expect(agents("gpt-5.1", anthropic, [openai, loggedIn])).toEqual(["m", "o"]);
    expect(agents("anthropic/claude-opus-4-1", openai)).toEqual(["m"]);
  });

  it("that nobody lists, or that an agent without a list is asked for, is left to the agent", () => {
    expect(agents("mystery-9", anthropic)).toEqual([]);
    expect(agents("gpt-5.1", row("silent", []))).toEqual([]);
  });

  it("is not with agents that are missing or only for demonstrations", () => {
    const gone = row("gone", ["gpt-5.1"], { state: "missing" });
    const demo = row("demo", ["gpt-5.1"], { demo: true });
    expect(agents("gpt-5.1", anthropic, [gone, demo])).toEqual([]);
  });
});
