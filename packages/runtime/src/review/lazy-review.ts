import type { Store, StoredEvent } from "../log/port.ts";
import type { Review, ReviewDeps } from "./review.ts";

/** Loads the review with its first use, so that the start of the daemon does not. */
export class LazyReview {
  readonly #deps: ReviewDeps & { store: Store; log: (line: string) => void };
  #review: Promise<Review> | undefined;

  constructor(deps: ReviewDeps & { store: Store; log: (line: string) => void }) {
    this.#deps = deps;
  }

  open = (): Promise<Review> => {
    this.#review ??= import("./review.ts").then(({ Review }) => new Review(this.#deps));
    return this.#review;
  };

  /** Called for every commit. After a turn changed files, comments follow their lines in the background. */
  committed(session: string, rows: readonly StoredEvent[]): void {
    if (!rows.some(({ type }) => type === "diff.updated" || type === "turn.ended")) return;
    const { store, log } = this.#deps;
    if (!store.sessions.get(session)?.view.comments?.some(({ state }) => state !== "resolved")) return;
    setImmediate(async () => {
      const review = await this.open();
      await review.followLines(session).catch((error: Error) => log(`${session}: comments: ${error.message}`));
    });
  }
}
