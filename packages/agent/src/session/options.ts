import type { Credentials, ModelRegistry, StreamModel, ThinkingLevel } from "@gantry/models";
import type { Hooks } from "../contract/hooks.ts";
import type { Guard, Person, Secrets, SessionStores, ShellRunner } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool, ToolPlace, UrlHandler } from "../contract/tool.ts";
import type { Action, PermissionMode, Verdict } from "../permissions/action.ts";
import type { Grant } from "../permissions/grants.ts";
import type { Settings } from "../settings/schema.ts";
import type { Equipment, SessionHandle } from "./tools/equipment.ts";

/** Decides whether these actions are allowed. Pure. Default: permissions/decide.ts; a caller may pass a stricter one. */
export type Decide = (
  mode: PermissionMode,
  actions: readonly Action[],
  place: ToolPlace,
  grants: readonly Grant[],
) => Verdict;

/** The dependencies and choices of a session. Without an optional part, its feature is absent. */
export type SessionOptions = {
  cwd: string;
  folders?: readonly string[];
  env?: Record<string, string | undefined>;
  store: SessionStore;
  stores?: SessionStores;
  registry: ModelRegistry;
  credentials: Credentials;
  stream: StreamModel;
  decide?: Decide;
  settings?: Settings;
  tools?: readonly Tool[];
  /** Creates the tools that need the session itself. Called once. */
  equip?: (own: SessionHandle) => Equipment;
  urls?: Record<string, UrlHandler>;
  person?: Person;
  guard?: Guard;
  hooks?: Hooks;
  rules?: Rules;
  secrets?: Secrets;
  shell?: ShellRunner;
  exportHtml?: (store: SessionStore, path?: string) => Promise<{ path: string }>;
  /** `provider/id`, a role, or part of a name; optionally with `:level`. */
  model?: string;
  thinking?: ThinkingLevel;
  mode?: PermissionMode;
  /** The models that `cycleModel` cycles through. */
  scoped?: readonly string[];
  /** The role whose fallback chain applies. */
  role?: string;
  /** Replaces the built-in base prompt. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  /** Milliseconds after an abort before tools and streams are abandoned. */
  graceMs?: number;
};
