import type { Model, SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import type { ProfileFacts } from "../limits/account.ts";
import type { RegistryWriter } from "./registry-writer.ts";
import { findSmallModel } from "./small-model.ts";

/**
 * What writes a text. `agent`: one of the user's agents in a separate process. `registry`: a request with a key of the model
 * registry; `agent` is then the one whose account the request counts against.
 */
export type Writer = {
  by: "configuration" | "agent" | "registry";
  agent: string;
  model?: string | undefined;
};

/** `why` explains the choice, or why there is none, as a sentence for the user. */
export type WriterChoice = { writer?: Writer; why: string };

export type ChoiceDeps = {
  config: Config;
  /** Automatic choice is switched off for this daemon. */
  isOff: boolean;
  agent: (id: string) => Agent | undefined;
  /** The agent whose models are those of the registry. */
  registryAgent: string;
  /** The agent's models. Probes the agent if they are unknown. Never rejects. */
  models: (agent: string) => Promise<readonly Model[]>;
  profile: (agent: string) => ProfileFacts | undefined;
  /** The environment of agents. */
  env: Readonly<Record<string, string | undefined>>;
  sessionEnv: (session: string) => Readonly<Record<string, string>>;
  registry: Pick<RegistryWriter, "findModel">;
};

/** The variable that switches automatic choice off for a daemon: in tests, in CI. */
export const SWITCH = "GANTRY_TEXT_HELPER";

/** Chooses the writer of a text about a session, or about work that an agent will do. Sends no request. */
export async function chooseWriter(
  deps: ChoiceDeps,
  subject: { agent?: string; view?: SessionView },
): Promise<WriterChoice> {
  const { config, isOff, registryAgent, sessionEnv, registry } = deps;
  const { agent: named, model } = config.scribe;
  if (named !== undefined) return { writer: { by: "configuration", agent: named, model }, why: "Set in config.yml." };
  if (isOff) return { why: `${SWITCH} is off.` };
  const id = subject.view?.agent ?? subject.agent;
  const agent = id === undefined ? undefined : deps.agent(id);
  if (!agent) return { why: "No agent is known." };
  if (agent.demo) return { why: `${agent.name} has no model.` };
  const models = agent.smallModels ? await deps.models(agent.id) : [];
  const current = subject.view?.servedModel ?? subject.view?.model;
  const env = subject.view ? sessionEnv(subject.view.id) : {};
  const own = await agent.smallModelSetting?.({ ...deps.env, ...env });
  const isLocal = models.find((one) => (current === undefined ? one.default : one.id === current))?.local;
  if (models.some(({ id, local }) => id === own && (local || !isLocal))) {
    return {
      writer: { by: "agent", agent: agent.id, model: own },
      why: `The small model that ${agent.name} is set to.`,
    };
  }
  const small = findSmallModel(agent, models, current);
  if (small) return { writer: { by: "agent", agent: agent.id, model: small }, why: `A small model of ${agent.name}.` };
  if (isLocal && !agent.usesRegistry) return { why: "The model runs on this machine, and no other one gets its text." };
  if (deps.profile(agent.id)?.hasProgram) return { why: `${agent.name} is a program of yours without a small model.` };
  const found = await registry.findModel({ agent, model: current, env });
  if (!found) return { why: `${agent.name} lists no small model, and no key of yours is for one.` };
  return { writer: { by: "registry", agent: registryAgent, model: found }, why: "The cheapest model with a key." };
}
