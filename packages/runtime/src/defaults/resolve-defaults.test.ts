import { expect, it } from "vitest";
import { resolveDefaults } from "./resolve-defaults.ts";

const none = { project: {}, user: {}, ready: [] };

it("takes the agent of the project, of the user, the last one, then the only one", () => {
  const all = { project: { agent: "a" }, user: { agent: "b" }, last: "c", ready: ["d"] };
  const agentOf = (input: Parameters<typeof resolveDefaults>[0]) => {
    const { agent, sources } = resolveDefaults(input);
    return [agent, sources.agent];
  };
  expect(agentOf(all)).toEqual(["a", "project"]);
  expect(agentOf({ ...all, project: {} })).toEqual(["b", "user"]);
  expect(agentOf({ ...all, project: {}, user: {} })).toEqual(["c", "last"]);
  expect(agentOf({ ...none, ready: ["d"] })).toEqual(["d", "only"]);
  expect(agentOf({ ...none, ready: ["d", "e"] })).toEqual([undefined, undefined]);
});

it("prefers the settings of the agent to general ones, and those of the project to the user's", () => {
  const project = { effort: "low", agents: { codex: { model: "m-1" } } };
  const user = { model: "m-2", mode: "plan", effort: "high", agents: { codex: { controls: { fast: "on" } } } } as const;
  expect(resolveDefaults({ ...none, project, user }, "codex")).toEqual({
    agent: "codex",
    model: "m-1",
    mode: "plan",
    effort: "low",
    controls: { fast: "on" },
    sources: { model: "project", mode: "user", effort: "project", controls: "user" },
  });
});

it("uses model, effort and controls of a file for its default agent only, and the mode for all", () => {
  const user = { agent: "claude", model: "opus", effort: "high", mode: "plan", controls: { a: "b" } } as const;
  expect(resolveDefaults({ ...none, user }, "codex")).toMatchObject({
    mode: "plan",
    model: undefined,
    effort: undefined,
  });
  expect(resolveDefaults({ ...none, user })).toMatchObject({ agent: "claude", model: "opus", controls: { a: "b" } });
  expect(resolveDefaults(none, "codex")).toMatchObject({ mode: "ask", sources: {} });
});
