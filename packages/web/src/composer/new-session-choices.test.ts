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

it("starts with the defaults of the folder, and with the mode ask without any", () => {
  const defaults = configured({ agent: "codex", model: "gpt-5", mode: "plan", sources: { mode: "project" } });
  expect(chooseSettings("codex", { defaults, touched: {} }).settings).toMatchObject({ model: "gpt-5", mode: "plan" });
  expect(chooseSettings("codex", { defaults: undefined, touched: {} }).settings).toMatchObject({ mode: "ask" });
  expect(chooseSettings("codex", { defaults, touched: { mode: "ask" } }).settings).toMatchObject({ mode: "ask" });
});

it("never sends a model of another agent", () => {
  const send = (agent: string, sources: Parameters<typeof chooseSettings>[1]) => {
    const { mode: _, ...settings } = chooseSettings(agent, sources).settings;
    return settings;
  };
  const bare = { agent: "claude", model: undefined, effort: undefined, controls: undefined };
  // The agent was switched in the form.
  const touched = changeChoices<object>({ model: "gpt-5", agent: "codex" }, { agent: "claude" }, "codex");
  expect(send("claude", { defaults: undefined, touched })).toEqual(bare);
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
  const start = { defaults };
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
