import type { ImageBlock, TextBlock, ToolSpec } from "@gantry/models";
import type { Action } from "../permissions/action.ts";

/** What a tool gives back. `details` is for screens; the model never sees it. */
export type ToolOutput = { content: (TextBlock | ImageBlock)[]; details?: unknown; isError?: boolean };

/** Thrown by a tool for what went wrong in the world: becomes an error result with these words. */
export class ToolError extends Error {}

/**
 * A tool. `prepare` is asked before anything happens: it checks the arguments against the schema, and says what the
 * call is about to do, so that the permission mode can decide. `run` is called only if that was allowed, and stops soon
 * after `signal` is aborted, leaving nothing half done that it cannot name. It throws `ToolError`s for what went wrong,
 * and nothing else.
 */
export interface Tool {
  readonly name: string;
  readonly label: string;
  readonly spec: ToolSpec;
  /** `exclusive`: runs with no other beside it. Default `shared`. */
  readonly concurrency?: "shared" | "exclusive";
  /** Not offered unless something makes it necessary (`resolve`). */
  readonly hidden?: boolean;
  prepare(args: unknown, place: ToolPlace): Prepared;
}

/** `invalid`: the words that the model gets. */
export type Prepared =
  | { invalid: string }
  | {
      title: string;
      actions: Action[];
      /** What it would change, as a unified diff or text, for whoever is asked. Changes nothing. */
      preview?(): Promise<string | undefined>;
      run(context: ToolContext): Promise<ToolOutput>;
    };

/** Where tools work: what does not change from call to call. */
export type ToolPlace = {
  readonly cwd: string;
  /** Folders beside `cwd` in which writing is as free as in it. */
  readonly folders: readonly string[];
  readonly env: Record<string, string | undefined>;
};

/** What a running call may use. */
export interface ToolContext extends ToolPlace {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** A piece of output, as it comes. */
  progress(delta: string): void;
  /** Keeps a long output in a file and gives its `artifact://` address. */
  keep(text: string, tool: string): Promise<string>;
  /** Reads an internal address (`artifact://`, `rule://`, `agent://`, `skill://`, a host's scheme). */
  readUrl(url: string, signal: AbortSignal): Promise<UrlContent>;
  writeUrl(url: string, content: string, signal: AbortSignal): Promise<void>;
  /** The schemes that `readUrl` knows. */
  readonly schemes: readonly string[];
  /** Asks the person, or whoever stands for them. Rejects with a ToolError when nobody answers. */
  ask(questions: Question[], signal: AbortSignal): Promise<Answer[]>;
  /** Has the model decide with `resolve` about what was only previewed. */
  pend(action: PendingAction): void;
  /**
   * Calls another tool as if the model had called it: with its permissions, its guard and its events, one after another.
   * Never rejects. Not there where nobody could say what may be called.
   */
  call?(name: string, args: unknown): Promise<ToolOutput>;
  /** What tools remember over calls of one session (shells, kernels, servers, read snapshots); disposed with it. */
  readonly memory: ToolMemory;
}

export type UrlContent = {
  text: string;
  contentType?: "text/markdown" | "application/json" | "text/plain";
  notes?: string[];
  immutable?: boolean;
};

export type UrlHandler = {
  description?: string;
  read(url: string, signal: AbortSignal): Promise<UrlContent>;
  write?(url: string, content: string, signal: AbortSignal): Promise<void>;
};

export type Question = {
  id: string;
  question: string;
  options: { label: string; description?: string }[];
  multi?: boolean;
  recommended?: number;
};
export type Answer = { id: string; selected: string[]; other?: string };

/** A preview that waits. `apply` and `reject` are called at most once. */
export type PendingAction = {
  label: string;
  sourceTool: string;
  /** What `apply` is about to do, for the permission mode. */
  actions?: Action[];
  /** What it would change, as a unified diff. */
  preview?: string;
  apply(reason: string, signal: AbortSignal): Promise<ToolOutput>;
  reject?(reason: string): Promise<ToolOutput | undefined>;
};

/** One value per key and session, made at its first use. `dispose` is awaited when the session ends. */
export interface ToolMemory {
  get<Value>(key: string, make: () => Value, dispose?: (value: Value) => void | Promise<void>): Value;
}
