import type { ResolvedDefaults } from "@gantry/protocol";
import { expect, it } from "vitest";
import { changeChoices, chooseSettings } from "./new-session-choices.ts";

const none = { choices: [], user: {}, project: {}, withheld: [] };
const configured = (more: Partial<ResolvedDefaults>): ResolvedDefaults => ({
  mode: "ask",
  sources: {},
  ...none,
  ...more,
});
const last = { agent: "codex", model: "gpt-5", effort: "high", mode: "ask" as const };

it("sends the choices of the last session to the agent that they belong to", () => {
  const { settings } = chooseSettings("codex", { last, defaults: undefined, touched: {} });
  expect(settings).toMatchObject({ agent: "codex", model: "gpt-5", effort: "high" });
});

it("never sends a model of another agent", () => {
  const send = (agent: string, sources: Omit<Parameters<typeof chooseSettings>[1], "last">) => {
    const { mode: _, ...settings } = chooseSettings(agent, { last, ...sources }).settings;
    return settings;
  };
  const bare = { agent: "claude", model: undefined, effort: undefined, controls: undefined };
  // The agent was switched in the form.
  const touched = changeChoices<object>({ model: "gpt-5", agent: "codex" }, { agent: "claude" }, "codex");
  expect(send("claude", { defaults: undefined, touched })).toEqual(bare);
  // The agent of the last session is no longer ready.
  expect(send("claude", { defaults: undefined, touched: {} })).toEqual(bare);
  // The user chose a model, and another agent is used after all.
  const chosen = changeChoices<object>({}, { model: "gpt-5-mini" }, "codex");
  expect(send("claude", { defaults: undefined, touched: chosen })).toEqual(bare);
  expect(send("codex", { defaults: undefined, touched: chosen })).toMatchObject({ model: "gpt-5-mini" });
  // The defaults of the agent that was chosen before are known while those of the next one load.
  const before = configured({ agent: "codex", model: "gpt-5", controls: { fast: "on" } });
  expect(send("claude", { defaults: before, touched: { agent: "claude" } })).toEqual(bare);
});

it("sends null for a configured default that the user took back", () => {
  const defaults = configured({
    agent: "codex",
    model: "gpt-5",
    effort: "high",
    controls: { fast: "on", sandbox: "read-only" },
    sources: { agent: "user", model: "user", effort: "user", controls: "user" },
  });
  const start = { last: { mode: "ask" as const }, defaults };
  expect(chooseSettings("codex", { ...start, touched: {} }).settings).toMatchObject({
    model: "gpt-5",
    effort: "high",
    controls: { fast: "on", sandbox: "read-only" },
  });
  const model = changeChoices<object>({}, { model: undefined, effort: undefined }, "codex");
  const touched = changeChoices<object>(model, { controls: { sandbox: "read-only" } }, "codex");
  expect(chooseSettings("codex", { ...start, touched })).toMatchObject({
    chosen: { model: undefined, effort: undefined, controls: { sandbox: "read-only" } },
    settings: { model: null, effort: null, controls: { fast: null, sandbox: "read-only" } },
  });
});

it("drops the stored settings of another agent when one is chosen", () => {
  expect(changeChoices(last, { effort: "low" }, "claude")).toEqual({ agent: "claude", effort: "low", mode: "ask" });
  expect(changeChoices(last, { mode: "plan" }, "claude")).toEqual({ ...last, mode: "plan" });
  expect(changeChoices(last, { model: "gpt-6" }, "codex")).toEqual({ ...last, model: "gpt-6" });
});
