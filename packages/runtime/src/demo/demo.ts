import type { CreateSession, Session } from "@gantry/protocol";
import { makeProject } from "./project.ts";

type Created = { session: Session; created: boolean };

export type DemoDeps = {
  /** The agent that comes along. */
  agent: string;
  /** A model that needs no key. */
  model: string;
  create(body: CreateSession, origin: string): Promise<Created>;
  /** The folder of a session that exists. */
  folderOf(id: string): string | undefined;
};

const PROMPT = "Have a look around and leave a note for the team.";

/** A complete session in a project made for it: no key, no network. */
export class Demo {
  readonly #deps: DemoDeps;
  readonly #starting = new Map<string, Promise<Created>>();

  constructor(deps: DemoDeps) {
    this.#deps = deps;
  }

  /** The same id again is the same session. Throws `conflict` for an id that another session has. */
  start(id?: string): Promise<Created> {
    const under = id === undefined ? undefined : this.#starting.get(id);
    if (under) return under.then(({ session }) => ({ session, created: false }));
    const made = this.#make(id).finally(() => id !== undefined && this.#starting.delete(id));
    if (id !== undefined) this.#starting.set(id, made);
    return made;
  }

  async #make(id: string | undefined): Promise<Created> {
    const { agent, model, create, folderOf } = this.#deps;
    const cwd = (id === undefined ? undefined : folderOf(id)) ?? (await makeProject());
    return create({ ...(id ? { id } : {}), agent, model, cwd, title: "Demo", mode: "ask", prompt: PROMPT }, "demo");
  }
}
