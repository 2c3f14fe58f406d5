import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Git } from "../lanes/git/git.ts";
import type { Records, Store } from "../log/port.ts";
import type { Place } from "./work-tree/place.ts";
import { dropRefs, type Reader, readerOf, refOf, type StoredCheckpoints, storedCheckpoints } from "./work-tree/refs.ts";

/** The repositories that hold checkpoints of a session. */
type Traces = { session: string; repositories: string[] };

/** The kind of the records that describe how to undo a revert. */
export const REVERTS = "revert";
const DAY_MS = 86_400_000;

/** Tracks which repositories hold checkpoints of a session, and deletes expired ones. */
export class Retention {
  readonly #git: Git;
  readonly #store: Store;
  readonly #home: string;
  readonly #config: Config["checkpoints"];
  readonly #traces: Records<Traces>;

  constructor(parts: { git: Git; store: Store; home: string; config: Config["checkpoints"] }) {
    this.#git = parts.git;
    this.#store = parts.store;
    this.#home = parts.home;
    this.#config = parts.config;
    this.#traces = parts.store.records("checkpoints");
  }

  /** Called before the first checkpoint of a session in a repository. */
  note(session: string, { commonDir }: Place): void {
    const repositories = this.repositoriesOf(session);
    if (repositories.includes(commonDir)) return;
    this.#traces.put(session, { session, repositories: [...repositories, commonDir] });
  }

  repositoriesOf(session: string): string[] {
    return this.#traces.get(session)?.repositories ?? [];
  }

  /** Reads a session's checkpoints when its folder is missing; `undefined` if the repository is missing too. */
  readerOf(session: string): Reader | undefined {
    const commonDir = this.repositoriesOf(session).find((one) => existsSync(one));
    return commonDir === undefined ? undefined : readerOf({ git: this.#git, commonDir });
  }

  /** The existing checkpoints of a session. Throws git's errors. */
  async storedOf(session: string): Promise<StoredCheckpoints> {
    const all = new Map<string, { commit: string; at: number }>();
    for (const commonDir of this.repositoriesOf(session)) {
      if (!existsSync(commonDir)) continue;
      for (const [name, one] of await storedCheckpoints({ git: this.#git, commonDir }, session)) all.set(name, one);
    }
    return all;
  }

  async forget(session: string): Promise<void> {
    await this.#dropWhere(session, () => true);
    const reverts = this.#store.records<{ id: string; session: string }>(REVERTS);
    for (const revert of reverts.list()) if (revert.session === session) reverts.delete(revert.id);
    this.#traces.delete(session);
  }

  /** Deletes expired checkpoints, those of deleted sessions, and shadow folders of deleted work trees. */
  async sweep(now: number): Promise<void> {
    for (const { session } of this.#traces.list()) {
      if (!this.#store.sessions.get(session)) await this.forget(session);
      else await this.#dropOld(session, now);
    }
    this.#sweepShadows();
  }

  async #dropOld(session: string, now: number): Promise<void> {
    const { days, keep } = this.#config;
    const stored = [...(await this.storedOf(session))];
    // Ids sort by time.
    const turns = [...new Set(stored.map(([name]) => turnOf(name)))].sort().reverse();
    const newest = new Set(turns.slice(0, keep));
    await this.#dropWhere(session, (name, at) => !newest.has(turnOf(name)) && now - at > days * DAY_MS);
  }

  async #dropWhere(session: string, isDropped: (name: string, at: number) => boolean): Promise<void> {
    for (const commonDir of this.repositoriesOf(session)) {
      if (!existsSync(commonDir)) continue;
      const repository = { git: this.#git, commonDir };
      const dropped = [...(await storedCheckpoints(repository, session))].filter(([name, { at }]) =>
        isDropped(name, at),
      );
      const refs = dropped.map(([name]) => refOf(session, turnOf(name), name.endsWith("/after") ? "after" : "before"));
      await dropRefs(repository, refs);
    }
  }

  #sweepShadows(): void {
    const folder = join(this.#home, "checkpoints");
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const gitDir = placeOf(join(folder, name));
      if (gitDir !== undefined && !existsSync(gitDir)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function turnOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}

function placeOf(shadow: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(shadow, "place.json"), "utf8")) as { gitDir?: string }).gitDir;
  } catch {
    return undefined;
  }
}
