import type { Model, ThinkingLevel } from "@gantry/models";
import type { AgentMessage } from "../../contract/messages.ts";
import type { ShellRunner } from "../../contract/ports.ts";
import type { SessionStore } from "../../contract/session-store.ts";
import type { Tool, UrlHandler } from "../../contract/tool.ts";
import type { PermissionMode } from "../../permissions/action.ts";
import type { ContextMarks } from "../../tools/checkpoint/tools.ts";
import type { PendingQueue } from "../../tools/resolve/tool.ts";
import type { TodoList } from "../../tools/todo/tool.ts";

/** What a session has for the tools that are made for it; to be asked when they run, not when they are made. */
export interface SessionHandle {
  /** Sessions are left and entered: the one of this moment. */
  store(): SessionStore;
  mode(): PermissionMode;
  model(): Model | undefined;
  thinking(): ThinkingLevel;
  messages(): readonly AgentMessage[];
  readonly pending: PendingQueue;
  readonly todos: TodoList;
  readonly marks: ContextMarks;
  /** Something ended or failed beside the conversation: who listens is told at once, the model when it is asked next. */
  note(text: string, source: string): void;
  /** Something that only people can mend. */
  warn(text: string, source: string): void;
}

/**
 * The tools of one session and what they need. `tools` is asked before each request. `ready`: the first message waits for
 * it; it never rejects. `expand` puts what a message of the user names in place of its name. `dispose` ends all that was started, when the session ends.
 */
export type Equipment = {
  tools(): readonly Tool[];
  urls?: Record<string, UrlHandler>;
  shell?: ShellRunner;
  ready?: Promise<unknown>;
  expand?(text: string): string;
  dispose?(): Promise<void>;
};
