import { Catalogue } from "../agents/catalogue.ts";
import type { Agent } from "../agents/contract.ts";
import { agentEnvironment } from "../agents/finding/environment.ts";
import { ProfileFiles } from "../agents/profile-files.ts";
import { builtInAgents, profileBases } from "../agents/registry.ts";
import { KitRegistry } from "../kit/registry.ts";
import type { Base } from "./base.ts";

/** The agents of this machine and what they are started with. */
export type AgentParts = {
  catalogue: Catalogue;
  kit: KitRegistry;
  profiles: ProfileFiles;
  /** The daemon's environment without its own variables and secrets. */
  env: Record<string, string>;
  find: (id: string) => Agent | undefined;
  /** Probes an agent again after its profile or login changed. Returns immediately; failures are logged. */
  probeAgain: (id: string) => void;
};

export function openAgents({ options: { home, env }, log }: Base): AgentParts {
  const catalogue = new Catalogue({ agents: builtInAgents, bases: profileBases, env, home, log });
  const find = (id: string) => catalogue.lookUp(id);
  const probeAgain = (id: string) => {
    // The profile may have been deleted.
    if (find(id)) void catalogue.row(id, true).catch((error) => log(`${id}: ${error.message}`));
  };
  return {
    catalogue,
    kit: new KitRegistry(home, env),
    profiles: new ProfileFiles({ home, agents: builtInAgents, bases: profileBases, onChange: probeAgain }),
    env: agentEnvironment(env),
    find,
    probeAgain,
  };
}
