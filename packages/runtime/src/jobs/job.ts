/**
 * A piece of work that outlives the daemon: a list of steps, done one after another. Before the first step and after
 * each one the job is on disk, so a daemon that dies goes on with the step at which it stood.
 */
export type Job<Data> = {
  id: string;
  kind: string;
  /** `undoing`: a step failed, and what the others have done is being taken back. */
  state: "running" | "undoing" | "done" | "failed";
  /** How many steps are behind it. */
  at: number;
  /** What the steps know and hand on; plain JSON. */
  data: Data;
  /** Why it failed, for people. */
  error?: JobError;
  createdAt: string;
  updatedAt: string;
};

export type JobError = { code: string; message: string; remedy?: string; details?: unknown };

/**
 * One step. It may be cut off anywhere and is then done again from its beginning, so it looks at what is there first:
 * a second time changes nothing more. What it returns is merged into the data and is on disk before the next one
 * begins. It throws when the job cannot go on.
 */
export type Step<Data> = { name: string; run(data: Data): Promise<Partial<Data> | undefined> };

export type Plan<Data> = {
  kind: string;
  steps: readonly Step<Data>[];
  /** Takes back what was done when a step has failed. It too may be cut off and is then called again. */
  undo?(data: Data, error: JobError): Promise<Partial<Data> | undefined>;
};
