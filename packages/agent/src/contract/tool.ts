import type { ImageBlock, TextBlock, ToolSpec } from "@gantry/models";
import type { Action } from "../permissions/action.ts";
import type { UserInterface } from "./ui.ts";

/** The result of a tool. `details` is for user interfaces; the model never sees it. */
export type ToolOutput = { content: (TextBlock | ImageBlock)[]; details?: unknown; isError?: boolean };

/** Thrown by a tool for an expected failure. Its message becomes an error result for the model. */
export class ToolError extends Error {}

/**
 * A tool. `prepare` validates the arguments and declares the actions of the call, so that the permission mode can
 * decide; it has no side effects. `run` is called only if the actions were allowed. It stops soon after `signal` is
 * aborted and reports any partial effect. It throws only `ToolError`s.
 */
export interface Tool {
  readonly name: string;
  readonly label: string;
  readonly spec: ToolSpec;
  /** `exclusive`: runs with no other tool at the same time. Default `shared`. */
  readonly concurrency?: "shared" | "exclusive";
  /** Offered to the model only when it is needed (`resolve`). */
  readonly hidden?: boolean;
  prepare(args: unknown, place: ToolPlace): Prepared;
}

/** `invalid`: the error text for the model. */
export type Prepared =
  | { invalid: string }
  | {
      title: string;
      actions: Action[];
      /** The change it would make, as a unified diff or text, shown when approval is requested. No side effects. */
      preview?(): Promise<string | undefined>;
      run(context: ToolContext): Promise<ToolOutput>;
    };

/** Where tools work. The same for all calls of a session. */
export type ToolPlace = {
  readonly cwd: string;
  /** Additional folders with the same write permission as `cwd`. */
  readonly folders: readonly string[];
  readonly env: Record<string, string | undefined>;
};

/** What a running call can use. */
export interface ToolContext extends ToolPlace {
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Publishes a piece of output while the call runs. */
  progress(delta: string): void;
  /** Stores a long output as an artifact and returns its `artifact://` address. */
  keep(text: string, tool: string): Promise<string>;
  /** Reads an internal address (`artifact://`, `rule://`, `agent://`, `skill://`, a host's scheme). */
  readUrl(url: string, signal: AbortSignal): Promise<UrlContent>;
  writeUrl(url: string, content: string, signal: AbortSignal): Promise<void>;
  /** The schemes that `readUrl` knows. */
  readonly schemes: readonly string[];
  /** Asks the person or their stand-in. Rejects with a `ToolError` if there is no answer. */
  ask(questions: Question[], signal: AbortSignal): Promise<Answer[]>;
  /** Absent if the session has no user interface. */
  readonly ui?: UserInterface;
  /** Registers a preview that the model must apply or discard with `resolve`. */
  pend(action: PendingAction): void;
  /**
   * Calls another tool as the model would: with the same permissions, guard and events, one call at a time. Never
   * rejects. Absent where no permission mode applies.
   */
  call?(name: string, args: unknown): Promise<ToolOutput>;
  /**
   * Decides about changes that the call's actions did not name, in the current mode, and asks if needed. Rejects with a
   * `ToolError` if they, or the call's own actions, are not allowed any longer. Absent where no permission mode applies.
   */
  permit?(actions: readonly Action[]): Promise<void>;
  /** Values that outlive a call (shells, kernels, servers, read snapshots); disposed with the session. */
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

/** A pending preview. `apply` and `reject` are called at most once. */
export type PendingAction = {
  label: string;
  sourceTool: string;
  /** The actions of `apply`, for the permission mode. */
  actions?: Action[];
  /** The change, as a unified diff. */
  preview?: string;
  apply(reason: string, signal: AbortSignal): Promise<ToolOutput>;
  reject?(reason: string): Promise<ToolOutput | undefined>;
};

/** One value per key and session, created at first use. `dispose` is awaited when the session ends. */
export interface ToolMemory {
  get<Value>(key: string, make: () => Value, dispose?: (value: Value) => void | Promise<void>): Value;
}
