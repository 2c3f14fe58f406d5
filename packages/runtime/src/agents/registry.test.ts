import { AgentId, Mode } from "@gantry/protocol";
import { expect, it } from "vitest";
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
