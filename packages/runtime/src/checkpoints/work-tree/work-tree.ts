import type { Git } from "../../lanes/git/git.ts";
import { Ignored } from "./ignored.ts";
import type { Place } from "./place.ts";
import type { Repository } from "./refs.ts";
import { Shadow } from "./shadow.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import type { Limits } from "./take-in.ts";

const DAY_MS = 86_400_000;

/** A work tree of which checkpoints are made: one thing at a time happens to it. */
export class WorkTree {
  readonly place: Place;
  readonly shadow: Shadow;
  readonly repository: Repository;
  readonly #limits: () => Limits;
  readonly #ignored = new Ignored();
  #last: { snapshot: Snapshot; at: number } | undefined;
  /** One that has not begun yet: whoever asks until then gets it too. */
  #next: { taken: Promise<Snapshot>; drops: boolean } | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(git: Git, place: Place, home: string, limits: () => Limits) {
    this.place = place;
    this.#limits = limits;
    this.repository = { git, commonDir: place.commonDir };
    this.shadow = new Shadow(git, place, home);
  }

  /**
   * The work tree as it is at some moment after the call. With `drops`, as at the begin of a turn, what is ignored since may
   * be left out. Throws `TooMuch` or git's words.
   */
  snapshot({ drops = false } = {}): Promise<Snapshot> {
    if (this.#next) this.#next.drops &&= drops;
    this.#next ??= { drops, taken: this.alone(() => this.#take()) };
    return this.#next.taken;
  }

  async #take(): Promise<Snapshot> {
    // The end of a turn and the begin of the next are one moment.
    await new Promise((resolve) => setImmediate(resolve));
    const drops = this.#next?.drops === true;
    this.#next = undefined;
    return this.now(drops);
  }

  /** The same for who has the work tree for itself already. */
  async now(drops = false): Promise<Snapshot> {
    const taking = { shadow: this.shadow, limits: this.#limits(), ignored: this.#ignored, drops };
    const last = this.#last;
    // Retention goes by the age of a commit, so an old one does not stand for a new turn.
    const known = last && Date.now() - last.at < DAY_MS ? last.snapshot : undefined;
    const snapshot = await takeSnapshot(taking, known);
    this.#last = { snapshot, at: last && snapshot.commit === known?.commit ? last.at : Date.now() };
    return snapshot;
  }

  /** Nothing else happens to the work tree while this works; no checkpoint is made, so no turn begins. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#line.then(work);
    this.#line = mine.catch(() => undefined);
    return mine;
  }
}
