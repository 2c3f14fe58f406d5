import type { Credentials, ModelRegistry, StreamModel, ThinkingLevel } from "@gantry/models";
import type { Action, PermissionMode, Verdict } from "../permissions/action.ts";
import type { Grant } from "../permissions/grants.ts";
import type { Rules } from "../rules/port.ts";
import type { SessionStore } from "../sessions/port.ts";
import type { Settings } from "../settings/schema.ts";
import type { Tool, ToolPlace } from "../tools/tool.ts";
import type { Guard, Person, UrlHandler } from "./port.ts";
import type { Equipment, SessionOwn } from "./tools/equipment.ts";

/** Runs a command of the user in the session's shell. Never rejects; `cancelled` after the signal was aborted. */
export interface ShellRunner {
  run(
    command: string,
    options: { cwd: string; signal: AbortSignal; output(delta: string): void },
  ): Promise<{ exitCode?: number; cancelled: boolean }>;
}

/** Covers secrets in what is sent, and puts them back in what comes. None of it throws. */
export interface Secrets {
  seal(body: unknown): unknown;
  open<Value>(value: Value): Value;
  /** Opens a text that comes in pieces; what may be the beginning of a placeholder is held back until it is clear. */
  opener(): { push(delta: string): string; end(): string };
}

/** Where other sessions come from. `branch`: a new file with everything up to this entry. May throw `SessionError`s. */
export interface SessionStores {
  create(options: { cwd: string; parentSession?: string }): SessionStore;
  open(path: string): SessionStore;
  branch(store: SessionStore, leafId: string | null): SessionStore;
}

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
  equip?: (own: SessionOwn) => Equipment;
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
