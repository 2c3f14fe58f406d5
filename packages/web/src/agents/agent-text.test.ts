import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { groupAgents, statusOf } from "./agent-status.ts";
import { authText, capabilityLines, modelText, versionText } from "./agent-text.ts";

const row = (id: string, more: Partial<AgentRow> = {}): AgentRow => ({
  id,
  name: id,
  state: "ready",
  auth: { state: "ok", how: "reported by the agent" },
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

describe("groupAgents", () => {
  it("orders agents by what the user has to do and is otherwise stable", () => {
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
    expect(statusOf(out)).toBe("login");
  });

  it("reports a missing agent as missing, not as logged out", () => {
    expect(statusOf(row("gone", { state: "missing", auth: { state: "missing", how: "" } }))).toBe("missing");
  });
});

describe("the description of an agent", () => {
  it("includes the supported versions, and whether the installed one is newer", () => {
    const versions = { oldest: "1.3", newest: "1.18.33" };
    const text = (version: string, fit: "supported" | "newer") =>
      versionText(row("a", { version, versions: { ...versions, fit } }));
    expect(text("1.4.0", "supported")).toBe("1.4.0 (1.3 to 1.18.33 are supported)");
    expect(text("2.0.0", "newer")).toBe("2.0.0 (newer than the newest tested version; 1.3 to 1.18.33 are supported)");
    expect(versionText(row("a"))).toBe("Unknown");
  });

  it("includes how the login state is known", () => {
    expect(authText({ state: "ok", how: "a key in its file" })).toBe("Logged in (a key in its file)");
    expect(authText({ state: "unknown", how: "" })).toBe("Login unknown until first use");
  });

  it("names the source of a model list that does not come from the agent", () => {
    const model = { id: "m", name: "M", default: true, efforts: [] };
    expect(modelText({ source: "live", items: [model] })).toBe("1 model");
    expect(modelText({ source: "fallback", items: [model, model] })).toBe("2 models (Gantry's built-in list)");
    expect(modelText({ source: "live", items: [] })).toBe("Models not listed");
  });

  it("lists what the agent supports", () => {
    expect(capabilityLines(row("one", { steer: "inline", fork: true, resume: "id" }))).toEqual([
      "Accepts messages during a turn",
      "Resumes conversations by ID",
      "Conversations can be forked",
    ]);
    const kit = { servers: true, skills: "own", instructions: "own" } as const;
    expect(capabilityLines(row("two", { kit })).at(-1)).toBe(
      "Receives Gantry's MCP servers; loads skills and instructions natively",
    );
    expect(
      capabilityLines(row("three", { kit: { servers: false, skills: "prompt", instructions: "prompt" } })).at(-1),
    ).toBe("Does not receive Gantry's MCP servers; gets skills and instructions with the first prompt");
  });
});
