import type { Git } from "../../lanes/git/git.ts";
import { IgnoredFiles } from "./ignored-files.ts";
import type { Place } from "./place.ts";
import type { Repository } from "./refs.ts";
import { Shadow } from "./shadow.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import type { Limits } from "./update-index.ts";

const DAY_MS = 86_400_000;

/** A work tree with checkpoints. Operations on it are serialised. */
export class WorkTree {
  readonly place: Place;
  readonly shadow: Shadow;
  readonly repository: Repository;
  readonly #limits: () => Limits;
  readonly #ignored = new IgnoredFiles();
  #last: { snapshot: Snapshot; at: number } | undefined;
  /** A snapshot that has not started yet. Callers until its start share it. */
  #next: { taken: Promise<Snapshot>; drops: boolean } | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(git: Git, place: Place, home: string, limits: () => Limits) {
    this.place = place;
    this.#limits = limits;
    this.repository = { git, commonDir: place.commonDir };
    this.shadow = new Shadow(git, place, home);
  }

  /**
   * The work tree at some moment after the call. With `drops`, as at the start of a turn, files that became ignored may be
   * omitted. Throws `TooManyFiles` or git's errors.
   */
  snapshot({ drops = false } = {}): Promise<Snapshot> {
    if (this.#next) this.#next.drops &&= drops;
    this.#next ??= { drops, taken: this.runLocked(() => this.#take()) };
    return this.#next.taken;
  }

  async #take(): Promise<Snapshot> {
    // The end of a turn and the start of the next share one snapshot.
    await new Promise((resolve) => setImmediate(resolve));
    const drops = this.#next?.drops === true;
    this.#next = undefined;
    return this.now(drops);
  }

  /** Like `snapshot`, for a caller that already holds the lock. */
  async now(drops = false): Promise<Snapshot> {
    const taking = { shadow: this.shadow, limits: this.#limits(), ignored: this.#ignored, drops };
    const last = this.#last;
    // Retention goes by the age of a commit, so an old one is not reused for a new turn.
    const known = last && Date.now() - last.at < DAY_MS ? last.snapshot : undefined;
    const snapshot = await takeSnapshot(taking, known);
    this.#last = { snapshot, at: last && snapshot.commit === known?.commit ? last.at : Date.now() };
    return snapshot;
  }

  /** Holds the lock of the work tree during `work`. No checkpoint is taken, so no turn starts. */
  runLocked<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#line.then(work);
    this.#line = mine.catch(() => undefined);
    return mine;
  }
}
