import type { Session } from "@gantry/protocol";
import type { SessionActors } from "../actors.ts";
import type { Publisher } from "../api.ts";

const TEXT =
  "The disk is full. Nothing new can be stored until there is room; everything stored before is safe. Free some space.";

/** What sessions show while the disk is full. Nothing can be logged then. */
export class FullDisk {
  readonly #actors: SessionActors;
  readonly #publisher: Publisher;
  /** Set while the disk is full. */
  #since: string | undefined;
  /** Sessions with a turn while the disk was full. */
  readonly #affected = new Set<string>();

  constructor(actors: SessionActors, publisher: Publisher) {
    this.#actors = actors;
    this.#publisher = publisher;
  }

  /** The disk is full since this time: clients get a live frame and a field of the session. */
  announce(since: string): void {
    this.#since = since;
    for (const { view } of this.#actors.all()) {
      if (!view.turn) continue;
      this.#affected.add(view.id);
      this.#publisher.live({ type: "activity", session: view.id, state: "disk full", detail: TEXT });
    }
  }

  /** The disk has room again: every session that was working records it, and a running turn gets a deadline. */
  recordFreed(since: string): void {
    this.#since = undefined;
    for (const id of this.#affected) void this.#actors.find(id)?.diskFreed(since);
    this.#affected.clear();
  }

  /** The session, with the full disk as its stall. */
  show(session: Session): Session {
    if (this.#since === undefined || !session.turn) return session;
    return { ...session, stalled: { since: this.#since, reason: TEXT } };
  }
}
