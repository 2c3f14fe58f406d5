import type { Model } from "@gantry/protocol";
import { expect, it, vi } from "vitest";
import type { Agent } from "../../agents/contract.ts";
import type { SessionActor } from "../actor.ts";
import { type ChangeDeps, changeSession } from "../change-session.ts";
import { EngineBench } from "../engine/testing/engine.fake.ts";
import { type Choices, requireChoices } from "../requests.ts";

const agent = { id: "fake", name: "Fake", modes: {} } as Agent;
const listed: Model[] = [{ id: "big[effort=high]", name: "Big", default: true, efforts: ["low", "high"] }];
let probes = 0;
const known = {
  models: async () => {
    probes++;
    return listed;
  },
  knownModels: () => listed,
};

it("refuses a model with options, and an effort, that the agent does not list", async () => {
  await requireChoices(agent, { model: "big[effort=high]", effort: "low" }, known);
  const refused = expect.objectContaining({ code: "invalid" });
  await expect(requireChoices(agent, { model: "gone[effort=high]" }, known)).rejects.toEqual(refused);
  await expect(requireChoices(agent, { effort: "max" }, known)).rejects.toEqual(refused);
});

it("changes other settings of a session whose model the agent no longer lists", async () => {
  const bench = new EngineBench();
  const model = "gone[effort=high]";
  bench.apply("recordEvents", [{ type: "session.updated", data: { patch: { model }, reason: "test" } }]);
  const actor = { view: bench.view, apply: vi.fn(), changeSetting: async () => undefined } as unknown as SessionActor;
  const deps = {
    agent: () => agent,
    modelSwitch: { handOffIfNeeded: async () => undefined },
    requireChoices: (of: Agent, choices: Choices) => requireChoices(of, choices, known),
  } as unknown as ChangeDeps;
  probes = 0;
  await expect(changeSession(deps, actor, { title: "New" })).resolves.toMatchObject({ applied: [{ field: "title" }] });
  await expect(changeSession(deps, actor, { effort: "low" })).resolves.toMatchObject({ applied: [{ value: "low" }] });
  expect(probes).toBe(0);
  await expect(changeSession(deps, actor, { effort: "max" })).rejects.toMatchObject({ code: "invalid" });
});
