/** The time, and a call at a later one. `after` gives what calls it off. */
export type Clock = { now(): number; after(ms: number, run: () => void): () => void };

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
