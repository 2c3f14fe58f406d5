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
import { expandVariables } from "./expand.ts";
import { putServer, readServers, removeServer, rowOf } from "./servers-file.ts";
import { linkSkill, readSkills, unlinkSkill } from "./skills-folder.ts";

/** The kit of an agent at its start, and the problems of entries that cannot be used. */
export type Given = Pick<Kit, "servers" | "skills"> & { problems: Problem[] };

/**
 * The servers and skills of a home folder, for all agents. The files are read on each call, so a change applies to the
 * next start. Reading never throws: valid entries are returned together with the problems of the others.
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

  /** The servers and skills for this agent, with expanded values. */
  give(agent: string): Given {
    const { servers, problems } = readServers(this.#file);
    const { skills, problems: unusable } = readSkills(this.#folder);
    const meant = servers.filter(({ enabled, agents }) => enabled && (agents?.includes(agent) ?? true));
    const found = meant.map((server) => expandVariables(server, this.#env));
    return {
      servers: found.flatMap(({ server }) => server ?? []),
      skills: skills.map(({ name, description, path }) => ({ name, description, path })),
      problems: [...problems, ...unusable, ...found.flatMap(({ problem }) => problem ?? [])],
    };
  }

  servers(): McpServerList {
    const { servers, problems } = readServers(this.#file);
    const unset = servers.flatMap((server) =>
      server.enabled ? (expandVariables(server, this.#env).problem ?? []) : [],
    );
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
