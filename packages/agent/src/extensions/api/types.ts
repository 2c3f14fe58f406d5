/**
 * The API of extensions. An extension is a module whose default export is a function that receives `ExtensionApi`. Import
 * from here only types: `import type { ExtensionApi } from "@gantry/agent/extensions"`.
 */
import type { ImageBlock, Message, ModelEntry, ProviderConfig, TextBlock } from "@gantry/models";
import type { AgentEvent, CompactionReason } from "../../contract/events.ts";
import type { HookedCall, HookedRequest } from "../../contract/hooks.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import type { UserInterface } from "../../contract/ui.ts";
import type { PermissionMode } from "../../permissions/action.ts";

export type { AgentEvent, ImageBlock, Message, PermissionMode, TextBlock, ToolOutput };

/** What a module exports as default. A returned function is called when the extension is unloaded. */
export type Extension = (gantry: ExtensionApi) => Returned<Cleanup>;
export type Cleanup = () => void | Promise<void>;

export interface ExtensionApi {
  /** The name of this extension. */
  readonly name: string;
  /** The session's folder. */
  readonly cwd: string;
  readonly ui: ExtensionUi;
  readonly session: ExtensionSession;
  /** Calls the handler at each such moment. Handlers run in the order of registration, each with a deadline. */
  on<Name extends keyof HookHandlers>(name: Name, handler: HookHandlers[Name]): void;
  registerTool(tool: ExtensionTool): void;
  /** Adds `/name`. Names consist of lower-case letters, digits, `-`, `_` and `:`. */
  registerCommand(name: string, command: ExtensionCommand): void;
  /** Adds models, which can be selected as `id/model`. */
  registerProvider(id: string, provider: ExtensionProvider): void;
}

/** Dialogs, messages, the status line and widgets. Without a user, dialogs have default answers: false or undefined. */
export type ExtensionUi = UserInterface & {
  /** Whether a user can answer. */
  readonly hasUser: boolean;
};

export interface ExtensionSession {
  /** Undefined before the session exists. */
  readonly id: string | undefined;
  readonly mode: PermissionMode | undefined;
  /** `provider/id`. */
  readonly model: string | undefined;
  messages(): readonly Message[];
  /** Sends a message of the user. During a run it steers the run, or waits for its end. */
  send(text: string, options?: { deliverAs?: "steer" | "followUp" }): Promise<void>;
  /** Adds a text for the model to its next request. */
  addContext(text: string): void;
  /** Switches the model: `provider/id`, a role, or part of a name. */
  setModel(selector: string): Promise<void>;
}

/** What a call is about to do. The permission mode decides by it. Paths may be relative to the session's folder. */
export type DeclaredAction =
  | { kind: "file.read" | "file.write" | "file.delete"; path: string }
  | { kind: "net.fetch"; url: string }
  | { kind: "bash"; command: string }
  /** Changes nothing outside of the conversation. */
  | { kind: "inner" };

export type ExtensionTool = {
  name: string;
  label?: string;
  description: string;
  /** JSON Schema of an object. Arguments that break it never reach `run`. */
  parameters: Record<string, unknown>;
  /** Without it, a call counts as running code: denied in plan mode, asked below full-auto. Must have no effects. */
  actions?(args: Record<string, unknown>): readonly DeclaredAction[];
  /** For the question and the transcript. Default: the label. */
  title?(args: Record<string, unknown>): string;
  /** `exclusive`: runs with no other tool at the same time. */
  concurrency?: "shared" | "exclusive";
  /** An error that it throws is a result for the model. */
  run(args: Record<string, unknown>, context: ExtensionToolContext): Promise<ToolResult> | ToolResult;
  /** The lines that the terminal shows for a result, instead of its text. */
  render?(result: ToolOutput): readonly string[];
};

export type ToolResult = string | ToolOutput;

export interface ExtensionToolContext {
  readonly callId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly ui: ExtensionUi;
  /** Publishes a piece of output while the call runs. */
  progress(text: string): void;
  /** Calls another tool, such as `bash`, with its permissions and sandbox. Never rejects. */
  call(name: string, args: Record<string, unknown>): Promise<ToolOutput>;
  /** Registers a change that the model must apply or discard with `resolve`. */
  pushPendingAction(action: PendingChange): void;
}

export type PendingChange = {
  label: string;
  /** The actions of `apply`. Without it, applying counts as running code. */
  actions?: readonly DeclaredAction[];
  /** The change, as a unified diff or text. */
  preview?: string;
  apply(reason: string, signal: AbortSignal): Promise<ToolResult> | ToolResult;
  reject?(reason: string): Promise<ToolResult | undefined> | ToolResult | undefined;
};

export type ExtensionCommand = {
  description?: string;
  /** A hint about the arguments, such as `[branch]`. */
  argumentHint?: string;
  /** A text is shown to the user. `prompt`: the text that is sent to the model instead of the command. */
  run(args: string, context: CommandContext): Returned<CommandResult>;
};
export type CommandContext = { readonly ui: ExtensionUi; readonly session: ExtensionSession };
export type CommandResult = string | { prompt: string };

/** What each handler receives and may return. A handler that returns nothing changes nothing. */
export type HookHandlers = {
  session_start(event: { reason: "start" | "resume" | "switch" }): Returned<{ context?: string }>;
  session_end(event: Record<never, never>): Returned<never>;
  /** A text of the user, before it becomes a message. */
  prompt(event: { text: string }): Returned<{ refuse: string } | { text?: string; context?: string }>;
  /** The system prompt and the messages of one request. The stored conversation stays unchanged. */
  before_request(event: HookedRequest): Returned<Partial<HookedRequest>>;
  /** `args` replaces the input, which is then judged like an input of the model. Nothing here permits a call. */
  before_tool(event: HookedCall): Returned<{ deny: string } | { args?: Record<string, unknown>; ask?: string }>;
  /** `text` is appended to the result. */
  after_tool(event: HookedCall & { result: ToolOutput }): Returned<{ result?: ToolOutput; text?: string }>;
  before_compaction(event: { reason: CompactionReason }): Returned<{ cancel?: string; instructions?: string }>;
  /** The model has stopped. `continueWith`: a text that makes it continue, at most five times in a row. */
  stop(event: { count: number }): Returned<{ continueWith: string }>;
  /** Every event of the session except pieces of streams. */
  event(event: SessionEvent): Returned<never>;
};
export type SessionEvent = Exclude<
  AgentEvent,
  { type: "message_update" | "tool_execution_update" | "bash_execution_update" }
>;
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may end without a return statement
type Returned<Value> = Value | void | undefined | Promise<Value | void | undefined>;

/** A provider with an existing wire format, or with a stream function. */
export type ExtensionProvider = Pick<ProviderConfig, "baseUrl" | "api" | "headers" | "compat"> & {
  /** A key, the name of an environment variable, or a function that returns a key or token for a request. */
  key?: string | { env: string } | ((signal: AbortSignal) => Promise<string> | string);
  /** Obtains a key when the user logs in with `/login` or over RPC. It is stored like every other key. */
  login?(context: { ui: ExtensionUi; signal: AbortSignal }): Promise<string> | string;
  models: readonly ModelEntry[];
  /** Answers a request instead of a wire format. */
  stream?(request: StreamRequest): AsyncIterable<StreamPiece>;
};

export type StreamRequest = {
  model: string;
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[];
  /** The key of this provider, if there is one. */
  key: string | undefined;
  signal: AbortSignal;
};

export type StreamPiece =
  | string
  | { type: "text" | "thinking"; text: string }
  | { type: "toolCall"; id?: string; name: string; arguments: Record<string, unknown> }
  | { type: "usage"; input: number; output: number };
