import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { findOtherAgents } from "./model-switch.ts";

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
  it("finds none for a model that the session's own agent lists", () => {
    expect(agents("gpt-5.1", openai)).toEqual([]);
  });

  it("finds none for a model of the same family, even if only another agent lists it", () => {
    expect(agents("claude-opus-4-1", anthropic)).toEqual([]);
    expect(agents("gpt-5.1-codex", openai, [row("x", ["gpt-5.1-codex"])])).toEqual([]);
  });

  it("finds the agents that list a model of another family, a logged-in one first", () => {
    expect(agents("gpt-5.1", anthropic)).toEqual(["o", "m"]);
    const loggedIn = { ...many, auth: { state: "ok" as const, how: "test" } };
    expect(agents("gpt-5.1", anthropic, [openai, loggedIn])).toEqual(["m", "o"]);
    expect(agents("anthropic/claude-opus-4-1", openai)).toEqual(["m"]);
  });

  it("finds none for a model that no agent lists, or if the session's agent lists no models", () => {
    expect(agents("mystery-9", anthropic)).toEqual([]);
    expect(agents("gpt-5.1", row("silent", []))).toEqual([]);
  });

  it("ignores agents that are missing or for demonstration", () => {
    const gone = row("gone", ["gpt-5.1"], { state: "missing" });
    const demo = row("demo", ["gpt-5.1"], { demo: true });
    expect(agents("gpt-5.1", anthropic, [gone, demo])).toEqual([]);
  });
});
