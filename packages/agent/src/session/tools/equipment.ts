import type { Model, ThinkingLevel } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";
import type { ShellRunner } from "../../contract/ports.ts";
import type { BackgroundJob } from "../../contract/session.ts";
import type { SessionStore } from "../../contract/session-store.ts";
import type { Tool, UrlHandler } from "../../contract/tool.ts";
import type { PermissionMode } from "../../permissions/action.ts";
import type { RunHook } from "../../tools/bash/run-hook.ts";
import type { ContextMarks } from "../../tools/checkpoint/tools.ts";
import type { PendingQueue } from "../../tools/resolve/tool.ts";
import type { TodoList } from "../../tools/todo/tool.ts";

/** What a session offers to its tools. Its methods are called when a tool runs, not when it is created. */
export interface SessionHandle {
  /** The current store; it changes when the session switches files. */
  store(): SessionStore;
  mode(): PermissionMode;
  model(): Model | undefined;
  thinking(): ThinkingLevel;
  messages(): readonly AgentMessage[];
  readonly pending: PendingQueue;
  readonly todos: TodoList;
  readonly marks: ContextMarks;
  /** Reports a background result or failure: to subscribers at once, to the model with the next request. */
  note(text: string, source: string): void;
  /** Adds a text for the model to its next request, without a notice. */
  addContext(text: string, source: string): void;
  /** Reports a problem that only a person can fix. */
  warn(text: string, source: string): void;
  /** Publishes an event of background work, or a notice, to subscribers. */
  publish(event: Extract<AgentEvent, { type: `job_${string}` | "notice" }>): void;
}

/**
 * The tools of one session and their resources. `tools` is called before each request. The first message waits for
 * `ready`, which never rejects. `expand` replaces references in a user message with their content. `dispose` stops
 * everything when the session ends.
 */
export type Equipment = {
  tools(): readonly Tool[];
  urls?: Record<string, UrlHandler>;
  shell?: ShellRunner;
  runHook?: RunHook;
  jobs?(): readonly BackgroundJob[];
  /** Stops a background job and resolves when it has ended. False: no such job runs. */
  stopJob?(id: string): Promise<boolean>;
  ready?: Promise<unknown>;
  expand?(text: string): string;
  /** The mode allows less than before: ends what still has the earlier permissions. */
  restrict?(): void;
  dispose?(): Promise<void>;
};
