import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { authWords, capabilityWords, modelWords } from "./agent-words.ts";
import { groupAgents, standingOf } from "./groups.ts";

const row = (id: string, more: Partial<AgentRow> = {}): AgentRow => ({
  id,
  name: id,
  state: "ready",
  auth: { state: "ok", how: "it says so" },
  channel: "acp",
  modes: ["ask"],
  steer: "queue",
  resume: "load",
  fork: false,
  models: { source: "live", items: [] },
  problems: [],
  offers: [],
  ...more,
});

describe("the order of agents", () => {
  it("is by what a person has to do, and otherwise stays", () => {
    const out: AgentRow = row("out", { auth: { state: "missing", how: "" } });
    const rows = [
      row("gone", { state: "missing" }),
      row("bad", { state: "broken" }),
      out,
      row("b"),
      row("a"),
      row("mute", { state: "unknown" }),
    ];
    const { here, missing } = groupAgents(rows);
    expect(here.map(({ id }) => id)).toEqual(["b", "a", "out", "bad", "mute"]);
    expect(missing.map(({ id }) => id)).toEqual(["gone"]);
    expect(standingOf(out)).toBe("login");
  });

  it("does not call an agent logged out that is not even installed", () => {
    expect(standingOf(row("gone", { state: "missing", auth: { state: "missing", how: "" } }))).toBe("missing");
  });
});

describe("an agent in words", () => {
  it("says how the login is known", () => {
    expect(authWords({ state: "ok", how: "a key in its file" })).toBe("Logged in (a key in its file)");
    expect(authWords({ state: "unknown", how: "" })).toBe("Nobody can tell before the first prompt");
  });

  it("says who counted the models", () => {
    const model = { id: "m", name: "M", default: true, efforts: [] };
    expect(modelWords({ source: "live", items: [model] })).toBe("1 model, as the agent says itself");
    expect(modelWords({ source: "fallback", items: [model, model] })).toBe(
      "2 models, from a list that comes with Gantry",
    );
    expect(modelWords({ source: "live", items: [] })).toBe("It does not list its models");
  });

  it("says what it can do, and what it cannot", () => {
    expect(capabilityWords(row("one", { steer: "inline", fork: true, resume: "id" }))).toEqual([
      "Takes messages into a running turn",
      "Its conversations are taken up again by their id",
      "A conversation can be forked",
    ]);
    const kit = { servers: true, skills: "own", instructions: "own" } as const;
    expect(capabilityWords(row("two", { kit })).at(-1)).toBe(
      "Gets Gantry's MCP servers; skills and instructions by its own means",
    );
    expect(
      capabilityWords(row("three", { kit: { servers: false, skills: "prompt", instructions: "prompt" } })).at(-1),
    ).toBe("MCP servers are not handed over; skills and instructions with the first prompt");
  });
});
