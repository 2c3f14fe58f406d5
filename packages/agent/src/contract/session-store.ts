import type { ThinkingLevel } from "@gantry/models";
import type { AgentMessage } from "./messages.ts";

/** The content of an entry, without its position in the tree. */
export type EntryBody =
  | { type: "message"; message: AgentMessage }
  | { type: "thinking_level_change"; thinkingLevel: ThinkingLevel }
  /** `model` is `provider/id`. `role: "temporary"`: not the user's choice, so it is not restored. */
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

/** The conversation at the leaf. `model` is the user's choice: changes for roles other than `default` are ignored. */
export type Branch = {
  messages: AgentMessage[];
  /** The entry of each message. */
  entryIds: string[];
  model?: string;
  thinkingLevel?: ThinkingLevel;
  injectedRules: string[];
  mode?: string;
};

/**
 * One session on disk: an append-only file with a tree of entries, and the leaf that is the parent of new entries.
 * `append` has written the entry when it returns, except that the file is created only at the model's first answer.
 * With `file: undefined` everything stays in memory.
 */
export interface SessionStore {
  readonly header: SessionHeader;
  readonly file: string | undefined;
  readonly leafId: string | null;
  /** What was skipped or repaired while reading, as text for people. */
  readonly problems: readonly string[];
  /** Another process writes this session, or the file is not writable. Writing methods throw a `SessionError`. */
  readonly readOnly: boolean;
  /** `after`: the parent instead of the leaf. The new entry becomes the leaf, in one write. */
  append(body: EntryBody, after?: string | null): Entry;
  entry(id: string): Entry | undefined;
  /** All entries in file order. Images are addresses (`blob:sha256:…`) here; `branch` has their data. */
  entries(): readonly Entry[];
  /** The children of an entry, oldest first. `null`: the roots. */
  children(id: string | null): readonly Entry[];
  /** Labels by entry id. */
  labels(): ReadonlyMap<string, string>;
  /** From the root to the leaf. */
  path(): readonly Entry[];
  /** The path as a conversation: compactions and summaries applied, blobs loaded. */
  branch(): Branch;
  /** Makes this entry the leaf. `null`: before the first entry. */
  moveTo(entryId: string | null): void;
  setTitle(title: string, source: "auto" | "user"): void;
  /** Stores a text next to the session file and returns its id; `artifact://<id>` reads it. */
  keepArtifact(text: string, tool: string): string;
  readArtifact(id: string): string | undefined;
  /** Writes pending entries and syncs the file to disk. */
  flush(): void;
  close(): void;
}

/** One row of a session list. Read from the start and end of the file only. */
export type SessionSummary = {
  file: string;
  id: string;
  cwd: string;
  title?: string;
  /** The beginning of the user's first message. */
  firstMessage?: string;
  parentSession?: string;
  createdAt: string;
  /** Milliseconds. */
  modifiedAt: number;
  bytes: number;
};
