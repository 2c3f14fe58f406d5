import type { Credentials, Model, ModelRegistry, StreamModel, ThinkingLevel } from "@gantry/models";
import type { Guard, SessionStores } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool } from "../contract/tool.ts";
import type { UserInterface } from "../contract/ui.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Settings } from "../settings/schema.ts";
import type { EmbeddedSession } from "./embedded-session.ts";
import type { AnswerCallback, ApproveCallback } from "./person.ts";

/** The options of `createAgentSession`. What is left out is discovered on this machine. */
export type CreateAgentSessionOptions = {
  /** Default: the folder of the process. */
  cwd?: string;
  /** For tools and for the discovery of keys. Default: the environment of the process. */
  env?: Record<string, string | undefined>;
  /** The folder with settings, credentials and sessions. Default: `GANTRY_AGENT_DIR`, or `~/.gantry/agent`. */
  agentDir?: string;
  /** Further folders with the same write permission as `cwd`. */
  folders?: readonly string[];

  /** A model of the registry, or `provider/id`, a role, or part of a name; optionally with `:level`. */
  model?: string | Pick<Model, "provider" | "id">;
  thinking?: ThinkingLevel;
  /** The models that `cycleModel` cycles through. */
  scopedModels?: readonly string[];
  registry?: ModelRegistry;
  /** Further files in the format of models.yml, if there is no `registry`. */
  modelsFiles?: readonly string[];
  credentials?: Credentials;
  /** Keys by provider, for this process only. They take precedence over all others. */
  apiKeys?: Readonly<Record<string, string>>;
  /** Sends requests to models. Replaces all transports. */
  stream?: StreamModel;

  /** Default: `ask`, or a stricter mode of the settings or of a resumed session. */
  mode?: PermissionMode;
  /** Decides about calls that need approval. Without it they are denied, and the model gets the reason. */
  approve?: ApproveCallback;
  /** Answers the model's questions. Without it they stay unanswered, and the model is informed. */
  answer?: AnswerCallback;
  /** The user interface that tools get as `context.ui`. */
  ui?: UserInterface;
  /** Checks each request and each tool call before it starts, for budgets. */
  guard?: Guard;

  /** Further tools. They replace built-in tools of the same name. */
  tools?: readonly Tool[];
  /** Only these built-in tools. An empty list: none, and no MCP servers. */
  toolNames?: readonly string[];
  /** `false`: no language servers. */
  lsp?: boolean;
  /** `false`: no MCP servers. A path: the servers of this file too. */
  mcp?: boolean | string;

  /** Replaces the built-in system prompt. Rules and facts about the folder follow it. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  /** `false`: no rules and no context files. */
  rules?: Rules | false;
  /** Further skill folders. `false`: no skills. */
  skills?: readonly string[] | false;
  /** Further extensions: names of packages, or paths. `false`: no extensions, no hooks and no commands of files. */
  extensions?: readonly string[] | false;

  /** Where the conversation is stored: in a file (default), in memory, or in a separate implementation. */
  store?: "file" | "memory" | SessionStore;
  /** Creates and opens the sessions that follow the first one. */
  stores?: SessionStores;
  /** A folder for session files, instead of the usual one. */
  sessionDir?: string;
  /** The session to continue or to copy: an id, the beginning of an id, or a path. */
  resume?: string;
  fork?: string;
  /** Continues the last session of this folder, if there is one. */
  continueRecent?: boolean;

  /** Replaces config.yml of the user and the project. */
  settings?: Settings;
  /** Replaces secrets in requests by placeholders. Default: true, or as `settings` specifies. */
  redactSecrets?: boolean;
};

export type CreateAgentSessionResult = {
  session: EmbeddedSession;
  registry: ModelRegistry;
  credentials: Credentials;
  /** Problems in the files of the user and the project, as text. They do not prevent the session from working. */
  problems: readonly string[];
  /** Set if there is no model, or if a resumed session uses another model than before. */
  modelFallbackMessage?: string;
  /** Sets the user interface that tools get as `context.ui`. */
  setToolUi(ui: UserInterface | undefined): void;
};
