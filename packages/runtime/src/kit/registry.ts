import { join } from "node:path";
import type {
  Kit,
  McpServerList,
  McpServerRow,
  McpServerSettings,
  Problem,
  SkillList,
  SkillRow,
} from "@gantry/protocol";
import { expanded } from "./expand.ts";
import { putServer, readServers, removeServer, rowOf } from "./servers-file.ts";
import { linkSkill, readSkills, unlinkSkill } from "./skills-folder.ts";

/** What an agent is to be given at its start, and what of it cannot be. */
export type Given = Pick<Kit, "servers" | "skills"> & { problems: Problem[] };

/**
 * The servers and skills of a home folder, for all agents. Everything is read anew each time, so that a change holds
 * for the next start. Reading never throws: what is wrong is told beside what is right.
 */
export class KitRegistry {
  readonly #file: string;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  /** `env` is where `${NAME}` in variables and headers is looked up. */
  constructor(home: string, env: Readonly<Record<string, string | undefined>>) {
    this.#file = join(home, "mcp.yml");
    this.#folder = join(home, "skills");
    this.#env = env;
  }

  /** What is meant for this agent, with all values as they are to be used. */
  give(agent: string): Given {
    const { servers, problems } = readServers(this.#file);
    const { skills, problems: unusable } = readSkills(this.#folder);
    const meant = servers.filter(({ enabled, agents }) => enabled && (agents?.includes(agent) ?? true));
    const found = meant.map((server) => expanded(server, this.#env));
    return {
      servers: found.flatMap(({ server }) => server ?? []),
      skills: skills.map(({ name, description, path }) => ({ name, description, path })),
      problems: [...problems, ...unusable, ...found.flatMap(({ problem }) => problem ?? [])],
    };
  }

  servers(): McpServerList {
    const { servers, problems } = readServers(this.#file);
    const unset = servers.flatMap((server) => (server.enabled ? (expanded(server, this.#env).problem ?? []) : []));
    return { servers: servers.map(rowOf), problems: [...problems, ...unset] };
  }

  /** Throws `conflict` when the file cannot be understood. */
  putServer(name: string, settings: McpServerSettings): McpServerRow {
    putServer(this.#file, name, settings);
    return rowOf({ name, ...settings });
  }

  /** Throws `no_such_server`, or `conflict` when the file cannot be understood. */
  deleteServer(name: string): void {
    removeServer(this.#file, name);
  }

  skills(): SkillList {
    return readSkills(this.#folder);
  }

  /** Throws `invalid` when there is no such skill at the path, `conflict` when another of this name is in the way. */
  putSkill(name: string, path: string): SkillRow {
    return linkSkill(this.#folder, name, path);
  }

  /** Throws `no_such_skill`, or `conflict` for a folder that is not a link. */
  deleteSkill(name: string): void {
    unlinkSkill(this.#folder, name);
  }
}
