import type { ConfigProblem, FullModelRegistry, OpenCredentials } from "@gantry/models";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool } from "../contract/tool.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Decide } from "../session/options.ts";
import type { Settings } from "../settings/schema.ts";
import type { MemoryWorker } from "./memory-worker.ts";
import type { AgentOptions } from "./options.ts";
import type { Skills } from "./skills.ts";

/** What all sessions of a process share. */
export type Shared = {
  options: AgentOptions;
  agentDir: string;
  settings: Settings;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  /** Results of subagents, by id. */
  outputs: Map<string, string>;
  problems: string[];
  /** MCP tools of the main session; subagents use the same connections. */
  mcpTools: () => Tool[];
  modelDiscovery: { stop(): void };
  skills: Skills;
  memoryWorker: MemoryWorker;
};

/** The parameters of one session. `depth`: 0 for the main session. */
export type SessionSlot = {
  cwd: string;
  store: SessionStore;
  depth: number;
  id?: string;
  model?: string;
  mode?: PermissionMode;
  decide?: Decide;
};

export function formatProblem({ file, line, path, message }: ConfigProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${path === "" ? "" : `${path}: `}${message}`;
}
