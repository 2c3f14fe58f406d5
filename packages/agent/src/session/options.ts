import type { Credentials, ModelRegistry, StreamModel, ThinkingLevel } from "@gantry/models";
import type { Guard, Person, Secrets, SessionStores, ShellRunner } from "../contract/ports.ts";
import type { Rules } from "../contract/rules.ts";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool, ToolPlace, UrlHandler } from "../contract/tool.ts";
import type { Action, PermissionMode, Verdict } from "../permissions/action.ts";
import type { Grant } from "../permissions/grants.ts";
import type { Settings } from "../settings/schema.ts";
import type { Equipment, SessionHandle } from "./tools/equipment.ts";

/** May these actions happen? Pure; see permissions/decide.ts, which it is unless somebody is stricter. */
export type Decide = (
  mode: PermissionMode,
  actions: readonly Action[],
  place: ToolPlace,
  grants: readonly Grant[],
) => Verdict;

/** Everything a session is put together from. What is optional is simply not there without it. */
export type AgentSessionOptions = {
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
  /** Makes tools that need the session which they are for. Called once. */
  equip?: (own: SessionHandle) => Equipment;
  urls?: Record<string, UrlHandler>;
  person?: Person;
  guard?: Guard;
  rules?: Rules;
  secrets?: Secrets;
  shell?: ShellRunner;
  exportHtml?: (store: SessionStore, path?: string) => Promise<{ path: string }>;
  /** `provider/id`, a role, a part of a name; with `:level` if wanted. */
  model?: string;
  thinking?: ThinkingLevel;
  mode?: PermissionMode;
  /** The models that `cycleModel` goes through. */
  scoped?: readonly string[];
  /** The role whose fallback chain counts. */
  role?: string;
  /** Instead of the text of our own. */
  systemPrompt?: string;
  appendSystemPrompt?: string;
  /** Milliseconds that tools and streams have to stop after an abort. */
  graceMs?: number;
};
