import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of `@cursor/sdk` that the worker uses. */
export type Sdk = {
  Agent: {
    create(options: AgentOptions): Promise<SdkAgent>;
    resume(id: string, options: AgentOptions): Promise<SdkAgent>;
    list(options: Record<string, unknown>): Promise<{ items: AgentInfo[]; nextCursor?: string }>;
    listRuns(id: string, options: Record<string, unknown>): Promise<{ items: Run[] }>;
  };
  Cursor: {
    me(options?: { apiKey?: string }): Promise<{ apiKeyName?: string; userEmail?: string }>;
    models: { list(options?: { apiKey?: string }): Promise<SdkModel[]> };
    auth?: {
      login(options: { onLoginUrl: (url: string) => void }): Promise<{ email?: string }>;
      status(): Promise<{ status: string; email?: string }>;
    };
  };
};

export type SdkModel = { id: string; displayName?: string; variants?: { isDefault?: boolean }[] };
export type AgentInfo = {
  agentId: string;
  name?: string;
  summary?: string;
  lastModified?: number;
  status?: string;
  cwd?: string;
  repos?: string[];
};
export type AgentOptions = Record<string, unknown>;
export type SdkAgent = {
  readonly agentId: string;
  send(message: { text: string; images?: unknown[] }, options: Record<string, unknown>): Promise<Run>;
  close(): void;
};
export type Run = {
  readonly id: string;
  readonly status?: string;
  stream(): AsyncIterable<unknown>;
  wait(): Promise<Record<string, unknown>>;
  cancel(): Promise<void>;
};

/** Agents with this prefix run in Cursor's cloud. */
export const CLOUD = "bc-";

type Manifest = { version?: string; exports?: Record<string, Record<string, string>>; module?: string; main?: string };

export function sdkVersion(folder: string): string {
  return readManifest(folder).version ?? "unknown";
}

export async function loadSdk(folder: string): Promise<Sdk> {
  const { exports, module, main } = readManifest(folder);
  const entry = exports?.["."]?.import ?? module ?? main ?? "index.js";
  return (await import(pathToFileURL(join(folder, entry)).href)) as Sdk;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** The model for a session that names none. Local agents of the SDK have no default. */
export function defaultModel(models: readonly SdkModel[]): string | undefined {
  const known = ["auto", "default"].find((id) => models.some((model) => model.id === id));
  return known ?? models[0]?.id;
}
