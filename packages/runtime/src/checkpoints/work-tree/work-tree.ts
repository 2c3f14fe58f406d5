import type { Git } from "../../lanes/git/git.ts";
import type { Place } from "./place.ts";
import type { Repository } from "./refs.ts";
import { Shadow } from "./shadow.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import type { Limits } from "./take-in.ts";

/** A work tree of which checkpoints are made: one thing at a time happens to it. */
export class WorkTree {
  readonly place: Place;
  readonly shadow: Shadow;
  readonly repository: Repository;
  readonly #limits: () => Limits;
  #last: Snapshot | undefined;
  /** One that has not begun yet: whoever asks until then gets it too. */
  #next: Promise<Snapshot> | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(git: Git, place: Place, home: string, limits: () => Limits) {
    this.place = place;
    this.#limits = limits;
    this.repository = { git, commonDir: place.commonDir };
    this.shadow = new Shadow(git, place, home);
  }

  /** The work tree as it is at some moment after the call. Throws `TooMuch` or git's words. */
  snapshot(): Promise<Snapshot> {
    this.#next ??= this.alone(async () => {
      // The end of a turn and the begin of the next are one moment.
      await new Promise((resolve) => setImmediate(resolve));
      this.#next = undefined;
      return this.now();
    });
    return this.#next;
  }

  /** The same for who has the work tree for itself already. */
  async now(): Promise<Snapshot> {
    this.#last = await takeSnapshot(this.shadow, this.#limits(), this.#last);
    return this.#last;
  }

  /** Nothing else happens to the work tree while this works; no checkpoint is made, so no turn begins. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#line.then(work);
    this.#line = mine.catch(() => undefined);
    return mine;
  }
}
