import type { ResolvedDefaults } from "@gantry/protocol";
import { expect, it } from "vitest";
import { agentsWithDefaults, removalOf, sourceText } from "./agent-sources.ts";

const resolved: ResolvedDefaults = {
  mode: "plan",
  model: "large",
  controls: { fast: "on" },
  sources: { mode: "project", model: "user", controls: "user" },
  choices: [],
  user: { model: "large", agents: { codex: { controls: { fast: "on" } } } },
  project: { agents: { codex: { mode: "plan" } } },
  withheld: [],
};

it("names the file and whether it sets the value for the agent", () => {
  expect(sourceText(resolved, "codex", "mode")).toBe("the project's defaults for this agent");
  expect(sourceText(resolved, "codex", "model")).toBe("your defaults");
  expect(sourceText(resolved, "codex", "controls", "fast")).toBe("your defaults for this agent");
  expect(sourceText(resolved, "codex", "controls", "reach")).toBe("the agent's own");
  expect(sourceText(resolved, "codex", "effort")).toBe("the agent's own");
  expect(sourceText({ ...resolved, sources: {} }, "codex", "mode")).toBe("built in");
});

it("removes exactly the defaults that are set", () => {
  expect(removalOf({ mode: "plan", controls: { fast: "on" } })).toEqual({ mode: null, controls: { fast: null } });
  expect(removalOf({ controls: {} })).toBeUndefined();
});

it("lists each agent with defaults once, and none whose defaults are empty", () => {
  const user = { agents: { codex: { mode: "ask" as const }, pi: {} } };
  expect(agentsWithDefaults(user, resolved.project)).toEqual(["codex"]);
});
