import type { ThinkingLevel } from "@gantry/models";
import type { AgentMessage } from "./messages.ts";

/** What an entry is beside its place in the tree. */
export type EntryBody =
  | { type: "message"; message: AgentMessage }
  | { type: "thinking_level_change"; thinkingLevel: ThinkingLevel }
  /** `model` is `provider/id`. `role: "temporary"` is not remembered as the user's choice. */
  | { type: "model_change"; model: string; role?: string; previousModel?: string; reason?: string }
  | {
      type: "compaction";
      summary: string;
      shortSummary?: string;
      firstKeptEntryId: string;
      tokensBefore: number;
      details?: unknown;
    }
  | { type: "branch_summary"; fromId: string; summary: string; details?: unknown }
  | { type: "custom"; customType: string; data: unknown }
  | { type: "custom_message"; customType: string; content: unknown; display: boolean; details?: unknown }
  | { type: "label"; targetId: string; label?: string }
  | { type: "ttsr_injection"; injectedRules: string[] }
  | { type: "mode_change"; mode: string; data?: unknown }
  | { type: "session_init"; systemPrompt: string; task: string; tools: string[]; outputSchema?: unknown };

export type Entry = EntryBody & { id: string; parentId: string | null; timestamp: string };

export type SessionHeader = {
  type: "session";
  version: 3;
  id: string;
  timestamp: string;
  cwd: string;
  title?: string;
  titleSource?: "auto" | "user";
  parentSession?: string;
};

/** What the branch at the leaf says. `model` is the user's choice: changes for another role than `default` do not count. */
export type Branch = {
  messages: AgentMessage[];
  /** The entry that each message came from. */
  entryIds: string[];
  model?: string;
  thinkingLevel?: ThinkingLevel;
  injectedRules: string[];
  mode?: string;
};

/**
 * One session on disk: a tree of entries in a file that is only ever appended to, and the leaf that new entries hang on.
 * `append` is durable when it returns, except that a file is not made before the first answer of a model.
 * With `file: undefined` everything stays in memory.
 */
export interface SessionStore {
  readonly header: SessionHeader;
  readonly file: string | undefined;
  readonly leafId: string | null;
  /** What was skipped or repaired while reading, in words for people. */
  readonly problems: readonly string[];
  /** Another process writes this session, or nobody may: `append` and the like throw a `SessionError`. */
  readonly readOnly: boolean;
  /** `after`: hangs it on this entry instead of the leaf, and goes on from there, in one write. */
  append(body: EntryBody, after?: string | null): Entry;
  entry(id: string): Entry | undefined;
  /** All of them, in the order of the file. Pictures are addresses (`blob:sha256:…`) here; `branch` has them whole. */
  entries(): readonly Entry[];
  /** Those that hang on an entry, the oldest first. `null`: those that begin the session. */
  children(id: string | null): readonly Entry[];
  /** Names that were given to entries. */
  labels(): ReadonlyMap<string, string>;
  /** From the root to the leaf. */
  path(): readonly Entry[];
  /** The path as a conversation: compactions and summaries applied, blobs back in their place. */
  branch(): Branch;
  /** New entries hang on this one from now on. `null`: before the first. */
  moveTo(entryId: string | null): void;
  setTitle(title: string, source: "auto" | "user"): void;
  /** Keeps a text beside the session and gives its id; `artifact://<id>` reads it. */
  keepArtifact(text: string, tool: string): string;
  readArtifact(id: string): string | undefined;
  /** Writes what is not on disk yet, and waits until the disk itself has all of it. */
  flush(): void;
  close(): void;
}

/** One line of a list of sessions; read from the beginning of its file only. */
export type SessionSummary = {
  file: string;
  id: string;
  cwd: string;
  title?: string;
  /** The beginning of what the user said first. */
  firstMessage?: string;
  parentSession?: string;
  createdAt: string;
  /** Milliseconds. */
  modifiedAt: number;
  bytes: number;
};
