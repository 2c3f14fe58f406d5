import type { ConfigProblem, FullModelRegistry, OpenCredentials } from "@gantry/models";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool } from "../contract/tool.ts";
import type { PermissionMode } from "../permissions/action.ts";
import type { Decide } from "../session/options.ts";
import type { Settings } from "../settings/schema.ts";
import type { MemoryWorker } from "./memory-worker.ts";
import type { AgentOptions } from "./options.ts";
import type { Skills } from "./skills.ts";

/** What all sessions of a process have in common. */
export type Shared = {
  options: AgentOptions;
  agentDir: string;
  settings: Settings;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  /** What subagents gave back, by id. */
  outputs: Map<string, string>;
  problems: string[];
  /** Of the session that a person talks to; those below it use the same connections. */
  mcpTools: () => Tool[];
  modelDiscovery: { stop(): void };
  skills: Skills;
  memoryWorker: MemoryWorker;
};

/** One session among them. `depth`: 0 for the one that a person talks to. */
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
