/**
 * Durable work: a list of steps that run one after another. The job is stored before the first step and after each one,
 * so the next daemon resumes at the interrupted step after a crash.
 */
export type Job<Data> = {
  id: string;
  kind: string;
  /** `undoing`: a step failed, and the completed steps are being undone. */
  state: "running" | "undoing" | "done" | "failed";
  /** Number of completed steps. */
  at: number;
  /** The input and results of the steps; plain JSON. */
  data: Data;
  /** Why it failed, for people. */
  error?: JobError;
  createdAt: string;
  updatedAt: string;
};

export type JobError = { code: string; message: string; remedy?: string; details?: unknown };

/**
 * One step. It must be idempotent: a crash may interrupt it anywhere, and it then runs again from its start. Its result is
 * merged into the data and stored before the next step starts. It throws when the job cannot continue.
 */
export type Step<Data> = { name: string; run(data: Data): Promise<Partial<Data> | undefined> };

export type Plan<Data> = {
  kind: string;
  steps: readonly Step<Data>[];
  /** Takes back what was done when a step has failed. It too may be cut off and is then called again. */
  undo?(data: Data, error: JobError): Promise<Partial<Data> | undefined>;
};
