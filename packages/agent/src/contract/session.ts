import type { ImageBlock, Model, ThinkingLevel, ToolSpec, Usage } from "@gantry/models";
import type { PermissionMode } from "../permissions/action.ts";
import type { AgentEvent, TodoPhase } from "./events.ts";
import type { AgentMessage } from "./messages.ts";
import type { Entry } from "./session-store.ts";
import type { Tool, UrlHandler } from "./tool.ts";

export type QueueMode = "all" | "one-at-a-time";
export type InterruptMode = "immediate" | "wait";

/** What became of a message: a run began with it, or it waits. */
export type Disposition = "started" | "queued";

export type PromptOptions = {
  /** Echoed in `message_start`. */
  id?: string;
  images?: ImageBlock[];
  /** While a run goes on: into it, or after it. Without it a prompt is refused then. */
  streamingBehavior?: "steer" | "followUp";
};

export type QueueOptions = Pick<PromptOptions, "id" | "images"> & {
  /** While nothing runs: a run begins with it (the default), or it waits for the next prompt. */
  whenIdle?: "start" | "wait";
};

export type SessionState = {
  model?: Model;
  thinkingLevel: ThinkingLevel;
  mode: PermissionMode;
  isStreaming: boolean;
  isCompacting: boolean;
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  interruptMode: InterruptMode;
  sessionFile?: string;
  sessionId: string;
  sessionName?: string;
  autoCompactionEnabled: boolean;
  autoRetryEnabled: boolean;
  messageCount: number;
  queuedMessageCount: number;
  todoPhases: TodoPhase[];
  contextUsage?: { tokens: number | null; contextWindow: number; percent: number | null };
};

export type SessionStats = {
  sessionFile?: string;
  sessionId: string;
  userMessages: number;
  assistantMessages: number;
  toolCalls: number;
  toolResults: number;
  totalMessages: number;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
  premiumRequests: number;
  cost: number;
};

export type MoveOptions = {
  /** Sums up for the model what is left behind; by the settings if nothing is said. */
  summarize?: boolean;
  /** What the summary is to tell. */
  instructions?: string;
  /** A name for the place that is gone to. */
  label?: string;
};

export type BashResult = {
  output: string;
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  artifactId?: string;
};

export type CompactionResult = {
  summary: string;
  shortSummary?: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  /** What it took to sum up. */
  usage?: Usage;
  details?: unknown;
};

/** Thrown by a session for what a caller asked wrongly; its message is for people and clients. */
export class SessionError extends Error {}

/** The settings require a sandbox and none works here, so the agent has not started. */
export class SandboxRequiredError extends SessionError {
  override readonly name = "SandboxRequiredError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * One conversation of Gantry's agent, whoever drives it (terminal, print, RPC, another session's task).
 * Methods may be called at any time and beside each other; a call that cannot be done now rejects with a `SessionError`
 * and changes nothing. `abort` always works. What a model or tool does wrong is an event, never a rejection.
 */
export interface AgentSession {
  readonly id: string;
  readonly cwd: string;
  state(): SessionState;
  subscribe(listener: (event: AgentEvent) => void): () => void;

  /** Resolves when the message is accepted; its run is told by events. */
  prompt(text: string, options?: PromptOptions): Promise<Disposition>;
  steer(text: string, options?: QueueOptions): Promise<Disposition>;
  followUp(text: string, options?: QueueOptions): Promise<Disposition>;
  /** Stops what runs (model, tools, retry, compaction) and resolves when it has stopped. What is queued stays queued. */
  abort(): Promise<void>;
  clearQueue(): { steering: string[]; followUp: string[] };
  /** Resolves when nothing runs and nothing will start by itself. */
  settled(): Promise<void>;

  newSession(options?: { parentSession?: string }): Promise<void>;
  switchSession(path: string): Promise<void>;
  /** A new file up to before this user message, whose text comes back for editing. */
  branch(entryId: string): Promise<{ text: string }>;
  /** A new file with everything up to now, in which the conversation goes on. */
  clone(): Promise<void>;
  /**
   * Goes to another entry of this session, in the same file. At a message of the user the conversation goes on before it,
   * and its text comes back for editing. `summary`: what was left behind, if it was summed up.
   */
  navigate(entryId: string, options?: MoveOptions): Promise<{ text?: string; summary?: string }>;
  /** The whole tree of the session, and where it goes on. */
  entries(): { entries: readonly Entry[]; leafId: string | null };
  branchMessages(): { entryId: string; text: string }[];
  setName(name: string): Promise<void>;
  messages(): readonly AgentMessage[];
  lastAssistantText(): string | null;
  stats(): SessionStats;
  exportHtml(path?: string): Promise<{ path: string }>;

  setModel(provider: string, modelId: string): Promise<Model>;
  /** The next one, or the one before. */
  cycleModel(by?: 1 | -1): Promise<{ model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null>;
  availableModels(): readonly Model[];
  setThinkingLevel(level: ThinkingLevel): void;
  cycleThinkingLevel(): { level: ThinkingLevel } | null;
  setMode(mode: PermissionMode): void;
  setSteeringMode(mode: QueueMode): void;
  setFollowUpMode(mode: QueueMode): void;
  setInterruptMode(mode: InterruptMode): void;

  compact(instructions?: string): Promise<CompactionResult>;
  /** Goes on in a new session that begins with a document which the model writes. `savedPath` if it is kept as a file. */
  handoff(instructions?: string): Promise<{ savedPath?: string }>;
  setAutoCompaction(enabled: boolean): void;
  setAutoRetry(enabled: boolean): void;
  abortRetry(): void;

  bash(command: string, options?: { id?: string; excludeFromContext?: boolean }): Promise<BashResult>;
  abortBash(): void;

  setTodos(phases: TodoPhase[]): TodoPhase[];
  systemPrompt(): readonly string[];
  tools(): readonly ToolSpec[];
  /** Takes the place of those that the same owner added before; counts from the next request on. */
  setTools(owner: string, tools: readonly Tool[]): void;
  setUrls(owner: string, schemes: Record<string, UrlHandler>): void;
  /** Ends everything that the session started. Resolves when nothing is left running. */
  dispose(): Promise<void>;
}
