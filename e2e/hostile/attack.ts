/** One attempt to cross a boundary. `run` attacks the real program and checks the effect, not only the answer. */
export type Attack = {
  /** Unique in its suite, and short: the first column of the table. */
  name: string;
  /** Groups attacks in the printed summary, such as "FIFO" or "git option". */
  class: string;
  run(): Promise<Outcome>;
};

/** `skipped` gives the reason, for example a program that this machine lacks. */
export type Outcome = { held: true } | { held: false; effect: string } | { skipped: string };

/** Attacks with a shared set-up. `close` stops what `open` started. */
export type Suite = {
  name: string;
  /** What the suite attacks and from which position, in one sentence. */
  about: string;
  open(): Promise<{ attacks: readonly Attack[]; close(): Promise<void> }>;
};
