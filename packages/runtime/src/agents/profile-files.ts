import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { replaceFile } from "@gantry/models/replace-file";
import { type AvailableAgent, GantryError, type Mistake, type ProfileRow } from "@gantry/protocol";
import { ConfigError } from "../config.ts";
import type { Agent } from "./contract.ts";
import { availableAgents, programFolder } from "./listed/listed-agent.ts";
import { copied } from "./listed/listed-agents.ts";
import { checkProfile, PROFILE_ENDING, profileFiles } from "./profiles.ts";

export type ProfileFilesDeps = {
  home: string;
  agents: readonly Agent[];
  bases: readonly Agent[];
  /** Called after the profile of this agent was written or deleted. */
  onChange(id: string): void;
};

/** Reads and writes the local profile files for an editor. Stateless: each call reads from disk. */
export class ProfileFiles {
  readonly #deps: ProfileFilesDeps;
  readonly #folder: string;

  constructor(deps: ProfileFilesDeps) {
    this.#deps = deps;
    this.#folder = join(deps.home, "agents");
  }

  list(): ProfileRow[] {
    const seen = new Set<string>();
    return profileFiles(this.#folder).map((path) => {
      const row = this.#read(path);
      const twice = { line: 1, message: `id: another profile already has the id ${row.id}` };
      const problems = seen.has(row.id) && row.problems.length === 0 ? [twice] : row.problems;
      seen.add(row.id);
      return { ...row, problems };
    });
  }

  /** The agents of the public ACP registry. */
  available(): { copied: string; agents: AvailableAgent[] } {
    const hasProfile = (id: string) => this.#paths(id).some((path) => existsSync(path));
    return { copied, agents: availableAgents(this.#deps.home, hasProfile) };
  }

  /** Throws `invalid` for a text with errors and leaves the file unchanged. */
  put(id: string, text: string): ProfileRow {
    const path = this.#paths(id).find((one) => existsSync(one)) ?? join(this.#folder, `${id}.yml`);
    const mistakes = this.#mistakes(path, text);
    if (mistakes.length > 0) {
      const lines = mistakes.map(({ line, message }) => `line ${line}: ${message}`);
      throw new GantryError("invalid", `The profile has errors and was not saved: ${lines.join("; ")}.`, {
        details: mistakes,
      });
    }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(path, text);
    this.#deps.onChange(id);
    return { id, path, text, problems: [] };
  }

  /** Throws `no_such_profile`. */
  delete(id: string): void {
    const paths = this.#paths(id).filter((path) => existsSync(path));
    if (paths.length === 0) throw new GantryError("no_such_profile", `There is no profile \`${id}\`.`);
    for (const path of paths) rmSync(path);
    rmSync(programFolder(this.#deps.home, id), { recursive: true, force: true });
    this.#deps.onChange(id);
  }

  #paths(id: string): string[] {
    return [join(this.#folder, `${id}.yml`), join(this.#folder, `${id}.yaml`)];
  }

  #read(path: string): ProfileRow {
    const id = basename(path).replace(PROFILE_ENDING, "");
    try {
      const text = readFileSync(path, "utf8");
      return { id, path, text, problems: this.#mistakes(path, text) };
    } catch (error) {
      return { id, path, text: "", problems: [{ line: 1, message: `cannot be read: ${(error as Error).message}` }] };
    }
  }

  #mistakes(path: string, text: string): Mistake[] {
    try {
      checkProfile(path, text, this.#deps.agents, this.#deps.bases);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes;
      throw error;
    }
  }
}
