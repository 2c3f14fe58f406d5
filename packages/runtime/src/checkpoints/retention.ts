import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Git } from "../lanes/git/git.ts";
import type { Records, Store } from "../log/port.ts";
import type { Place } from "./work-tree/place.ts";
import { drop, type Kept, keptOf, type Reader, readerOf, refOf } from "./work-tree/refs.ts";

/** In which repositories a session has left some. */
type Traces = { session: string; repositories: string[] };

/** The kind of records that tell how a revert is taken back. */
export const REVERTS = "revert";
const DAY_MS = 86_400_000;

/** Knows in which repositories a session has left checkpoints, and takes them away when their time has come. */
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

  /** Reads what a session has left where its folder is gone; `undefined` where its repository is too. */
  readerOf(session: string): Reader | undefined {
    const commonDir = this.repositoriesOf(session).find((one) => existsSync(one));
    return commonDir === undefined ? undefined : readerOf({ git: this.#git, commonDir });
  }

  /** What is still there of a session's turns. Throws what git says. */
  async keptOf(session: string): Promise<Kept> {
    const all = new Map<string, { commit: string; at: number }>();
    for (const commonDir of this.repositoriesOf(session)) {
      if (!existsSync(commonDir)) continue;
      for (const [name, kept] of await keptOf({ git: this.#git, commonDir }, session)) all.set(name, kept);
    }
    return all;
  }

  async forget(session: string): Promise<void> {
    await this.#dropWhere(session, () => true);
    const reverts = this.#store.records<{ id: string; session: string }>(REVERTS);
    for (const revert of reverts.list()) if (revert.session === session) reverts.delete(revert.id);
    this.#traces.delete(session);
  }

  /** Takes away what is too old, what belongs to sessions that are gone, and our own view of work trees that are gone. */
  async sweep(now: number): Promise<void> {
    for (const { session } of this.#traces.list()) {
      if (!this.#store.sessions.get(session)) await this.forget(session);
      else await this.#dropOld(session, now);
    }
    this.#sweepShadows();
  }

  async #dropOld(session: string, now: number): Promise<void> {
    const { days, keep } = this.#config;
    const kept = [...(await this.keptOf(session))];
    // Ids are in the order of time.
    const turns = [...new Set(kept.map(([name]) => turnOf(name)))].sort().reverse();
    const newest = new Set(turns.slice(0, keep));
    await this.#dropWhere(session, (name, at) => !newest.has(turnOf(name)) && now - at > days * DAY_MS);
  }

  async #dropWhere(session: string, goes: (name: string, at: number) => boolean): Promise<void> {
    for (const commonDir of this.repositoriesOf(session)) {
      if (!existsSync(commonDir)) continue;
      const repository = { git: this.#git, commonDir };
      const kept = [...(await keptOf(repository, session))].filter(([name, { at }]) => goes(name, at));
      const refs = kept.map(([name]) => refOf(session, turnOf(name), name.endsWith("/after") ? "after" : "before"));
      await drop(repository, refs);
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
