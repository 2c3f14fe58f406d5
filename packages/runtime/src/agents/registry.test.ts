import { AgentId, ladder, Mode } from "@gantry/protocol";
import { expect, it } from "vitest";
import { appliedMode, modeNotice } from "./applied-mode.ts";
import type { Agent } from "./contract.ts";
import { agentById, builtInAgents } from "./registry.ts";

it("finds an agent by its id", () => {
  for (const agent of builtInAgents) expect(agentById(agent.id)).toBe(agent);
  expect(agentById("unknown")).toBeUndefined();
});

it.each(builtInAgents.map((agent) => [agent.id, agent] as const))("%s has a complete descriptor", (id, agent) => {
  expect(builtInAgents.filter((other) => other.id === id)).toHaveLength(1);
  expect(AgentId.safeParse(id).success).toBe(true);
  expect(agent.find.env).toBe(`GANTRY_${id.toUpperCase().replaceAll("-", "_")}_BIN`);
  expect(agent.install.command).not.toBe("");
  expect(agent.channels.length).toBeGreaterThan(0);
  expect(new Set(agent.channels.map(({ name }) => name)).size).toBe(agent.channels.length);
  for (const mode of Object.keys(agent.modes)) expect(Mode.safeParse(mode).success).toBe(true);
});

const noticeOf = (agent: Agent, wanted: Mode) => modeNotice(agent, wanted, appliedMode(agent, wanted))?.text;

it("runs an agent without the requested mode in its strictest one, and states that before the first turn", () => {
  const [hermes, amp] = [agentById("hermes")!, agentById("amp")!];
  expect([appliedMode(hermes, "plan"), appliedMode(amp, "plan"), appliedMode(amp, "ask")]).toEqual([
    "ask",
    "auto-edit",
    "auto-edit",
  ]);
  const text = noticeOf(hermes, "plan");
  expect(text).toContain("Hermes: plan is not available, so the session runs in ask. ask is its strictest mode.");
  expect(text).toContain("ask cannot be enforced");
});

it.each(builtInAgents.map((agent) => [agent.id, agent] as const))(
  "%s never runs above the requested mode without a warning, and never in full-auto by substitution",
  (_, agent) => {
    for (const wanted of ladder) {
      const applied = appliedMode(agent, wanted);
      if (applied === "full-auto") expect(wanted).toBe("full-auto");
      const isLower = applied !== "inherit" && ladder.indexOf(applied) <= ladder.indexOf(wanted);
      if (!isLower) expect(noticeOf(agent, wanted)).toContain(`${wanted} is not available`);
    }
  },
);
