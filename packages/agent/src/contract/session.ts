import type { ImageBlock, Model, ThinkingLevel, ToolSpec, Usage } from "@gantry/models";
import type { Action, PermissionMode } from "../permissions/action.ts";
import type { AgentEvent, TodoPhase } from "./events.ts";
import type { AgentMessage, CustomMessage } from "./messages.ts";
import type { Entry } from "./session-store.ts";
import type { Tool, UrlHandler } from "./tool.ts";
import type { UserInterface } from "./ui.ts";

export type QueueMode = "all" | "one-at-a-time";
export type InterruptMode = "immediate" | "wait";

/** Whether a message started a run, was queued, or was a command that ran without the model. */
export type Disposition = "started" | "queued" | "handled";

export type PromptOptions = {
  /** Echoed in `message_start`. */
  id?: string;
  images?: ImageBlock[];
  /** During a run: steer it, or queue the message after it. Without this, a prompt is refused during a run. */
  streamingBehavior?: "steer" | "followUp";
};

export type QueueOptions = Pick<PromptOptions, "id" | "images"> & {
  /** When the session is idle: start a run with the message (default), or hold it for the next prompt. */
  whenIdle?: "start" | "wait";
};

/** A message of a program. It is shown unless `display` is false; the model gets it as a user message. */
export type CustomInput = Pick<CustomMessage, "customType" | "content"> & { display?: boolean; details?: unknown };

export type CustomOptions = {
  /** During a run: steer it (default), or queue the message after it. `nextTurn`: with the next request, at any time. */
  deliverAs?: "steer" | "followUp" | "nextTurn";
  /** When the session is idle: start a run with the message, instead of only adding it to the conversation. */
  triggerTurn?: boolean;
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
  /** Includes held messages. */
  queuedMessageCount: number;
  /** Messages that wait for `resumeQueue`. */
  heldMessageCount: number;
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
  /** Summarises the abandoned branch for the model. Default: as configured. */
  summarize?: boolean;
  /** Instructions for the summary. */
  instructions?: string;
  /** A label for the target. */
  label?: string;
};

/**
 * `typed`: a person at the terminal entered the command, which answers the question whether it may run. It still cannot do what the
 * mode denies.
 */
export type BashOptions = { id?: string; excludeFromContext?: boolean; typed?: boolean };

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

/** A command that runs in the background, or has ended. Times are in milliseconds since 1970. */
export type BackgroundJob = {
  id: string;
  command: string;
  status: "running" | "done" | "failed" | "cancelled";
  startedAt: number;
  endedAt?: number;
  /** The end of its output. */
  output: string;
  exitCode?: number;
};

export type CompactionResult = {
  summary: string;
  shortSummary?: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  /** The usage of the summary requests. */
  usage?: Usage;
  details?: unknown;
};

/** Thrown when a caller's request cannot be fulfilled. Its message is shown to people and clients. */
export class SessionError extends Error {
  override readonly name: string = "SessionError";
}

/** A login or a key is missing. */
export class LoginRequiredError extends SessionError {
  override readonly name = "LoginRequiredError";
}

/** The settings require a sandbox and none works on this system, so the agent has not started. */
export class SandboxRequiredError extends SessionError {
  override readonly name = "SandboxRequiredError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * One conversation of Gantry's agent, driven by the terminal, print mode, RPC, or a task of another session. Methods may
 * be called at any time and concurrently. A call that is not possible now rejects with a `SessionError` and changes
 * nothing. `abort` always works. Failures of models and tools are events, never rejections.
 */
export interface AgentSession {
  readonly id: string;
  readonly cwd: string;
  state(): SessionState;
  subscribe(listener: (event: AgentEvent) => void): () => void;

  /** Resolves when the message is accepted. Events report its run. */
  prompt(text: string, options?: PromptOptions): Promise<Disposition>;
  steer(text: string, options?: QueueOptions): Promise<Disposition>;
  followUp(text: string, options?: QueueOptions): Promise<Disposition>;
  /** `stored`: the message is in the conversation, or comes with the next request, and no run was started. */
  sendCustomMessage(message: CustomInput, options?: CustomOptions): Promise<Disposition | "stored">;
  /**
   * Stops the current work (model, tools, retry, compaction) and resolves when it has stopped. Queued messages of a
   * run are held until `resumeQueue`, and later prompts do not release them. With `keep` the next run takes them.
   */
  abort(options?: { queue?: "pause" | "keep" }): Promise<void>;
  /** Runs held messages now, or after the current run. */
  resumeQueue(): Promise<void>;
  /** Removes a queued message by the id of its command. False: the model has it already, or there is none. */
  cancelMessage(id: string): boolean;
  /** Removes all queued and held messages. */
  clearQueue(): { steering: string[]; followUp: string[] };
  /** Resolves when the session is idle. */
  waitUntilSettled(): Promise<void>;

  newSession(options?: { parentSession?: string }): Promise<void>;
  switchSession(path: string): Promise<void>;
  /** Continues in a new file that ends before this user message. Returns the message's text for editing. */
  branch(entryId: string): Promise<{ text: string }>;
  /** Continues in a new file with the whole conversation. */
  clone(): Promise<void>;
  /**
   * Moves to another entry of this session, in the same file. For a user message, the conversation continues before it,
   * and its text is returned for editing. `summary`: the summary of the abandoned branch, if one was made.
   */
  navigate(entryId: string, options?: MoveOptions): Promise<{ text?: string; summary?: string }>;
  /** The whole tree of the session, and the current leaf. */
  entries(): { entries: readonly Entry[]; leafId: string | null };
  branchMessages(): { entryId: string; text: string }[];
  setName(name: string): Promise<void>;
  messages(): readonly AgentMessage[];
  lastAssistantText(): string | null;
  stats(): SessionStats;
  exportHtml(path?: string): Promise<{ path: string }>;

  setModel(provider: string, modelId: string): Promise<Model>;
  /** Switches to the next (1) or previous (-1) model. */
  cycleModel(by?: 1 | -1): Promise<{ model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null>;
  availableModels(): readonly Model[];
  setThinkingLevel(level: ThinkingLevel): void;
  cycleThinkingLevel(): { level: ThinkingLevel } | null;
  setMode(mode: PermissionMode): void;
  setSteeringMode(mode: QueueMode): void;
  setFollowUpMode(mode: QueueMode): void;
  setInterruptMode(mode: InterruptMode): void;

  compact(instructions?: string): Promise<CompactionResult>;
  /** Continues in a new session that starts with a handoff document by the model. `savedPath`: its file, if saved. */
  handoff(instructions?: string): Promise<{ savedPath?: string }>;
  setAutoCompaction(enabled: boolean): void;
  setAutoRetry(enabled: boolean): void;
  abortRetry(): void;

  /** What a command would do in the session's shell: the same as for a call of the tool `bash`. */
  bashActions(command: string): readonly Action[];
  bash(command: string, options?: BashOptions): Promise<BashResult>;
  abortBash(): void;
  /** The background jobs of this process, the oldest first. */
  jobs(): readonly BackgroundJob[];
  /** Stops a background job and resolves when its processes have ended. False: no such job runs. */
  stopJob(id: string): Promise<boolean>;

  setTodos(phases: TodoPhase[]): TodoPhase[];
  systemPrompt(): readonly string[];
  tools(): readonly ToolSpec[];
  /** Replaces the tools of the same owner, from the next request on. */
  setTools(owner: string, tools: readonly Tool[]): void;
  setUrls(owner: string, schemes: Record<string, UrlHandler>): void;
  /** The names of all tools, and of those that the model can call. */
  getAllTools(): string[];
  getActiveTools(): string[];
  /** From the next request on, only these tools, also of those that are added later. Throws a `SessionError` for an unknown name. */
  setActiveTools(names: readonly string[]): void;
  /** The user interface that tools get as `context.ui`. */
  setToolUi(ui: UserInterface | undefined): void;
  /** Stops everything that the session started. Resolves when nothing is running. */
  dispose(): Promise<void>;
}
