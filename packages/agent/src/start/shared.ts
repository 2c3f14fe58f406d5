import type { ConfigProblem, FullModelRegistry, OpenCredentials, StreamModel } from "@gantry/models";
import type { SessionStore } from "../contract/session-store.ts";
import type { Tool } from "../contract/tool.ts";
import type { ExtensionHost } from "../extensions/host.ts";
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
  stream: StreamModel;
  /** Results of subagents, by id. */
  outputs: Map<string, string>;
  problems: string[];
  /** MCP tools of the main session; subagents use the same connections. */
  mcpTools: () => Tool[];
  modelDiscovery: { stop(): void };
  skills: Skills;
  memoryWorker: MemoryWorker;
  /** Absent if there are none: then their code is not loaded. */
  extensions?: ExtensionHost;
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

export function formatProblem({ file, line, column, path, message }: ConfigProblem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
  return `${place}: ${path === "" ? "" : `${path}: `}${message}`;
}
