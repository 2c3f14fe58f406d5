import { existsSync } from "node:fs";
import { join } from "node:path";
import { once } from "@gantry/models";
import { readRegularFile } from "@gantry/trust";
import { z } from "zod";
import type { ConfigCommands } from "../../trust/project-trust.ts";

/** A server and how to start or reach it. */
export type McpServer = { name: string; timeoutMs: number } & (
  | { transport: "stdio"; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { transport: "http" | "sse"; url: string; headers: Record<string, string>; oauth?: McpClient }
);
/** The agent's OAuth client at a server, where the server does not register clients. */
type McpClient = { clientId: string; clientSecret?: string; scope?: string };

export type McpFiles = {
  agentDir: string;
  cwd: string;
  /** Start the servers of every project. Without it, only of files whose content is trusted. */
  trustProject: boolean;
  isContentTrusted?(file: string, content: string, commandLines: readonly string[]): boolean;
  /** A file for this run; JSON or YAML. */
  extra?: string;
  env: Record<string, string | undefined>;
};

const entry = once(() =>
  z.object({
    type: z.enum(["stdio", "http", "streamable-http", "streamableHttp", "sse"]).optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
    url: z.url().optional(),
    headers: z.record(z.string(), z.string()).default({}),
    oauth: z
      .object({ clientId: z.string().min(1), clientSecret: z.string().optional(), scope: z.string().optional() })
      .optional(),
    /** Seconds for one call. */
    timeout: z.number().positive().default(60),
    disabled: z.boolean().default(false),
    enabled: z.boolean().default(true),
  }),
);
const LONGEST_LINE = 200;
const MOST_BYTES = 1024 * 1024;
const file = once(() => z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) }));

/**
 * The servers of the user, the project (if trusted) and this run; of two with the same name the later one counts. A
 * faulty file or entry is reported, and the others are used. Never rejects.
 */
export async function readMcpServers(files: McpFiles): Promise<{ servers: McpServer[]; problems: string[] }> {
  const problems: string[] = [];
  const found = new Map<string, McpServer | undefined>();
  const project = projectMcpFiles(files.cwd);
  for (const path of paths(files)) {
    const needsTrust = project.includes(path) && !files.trustProject;
    const entries = await readEntries(path, problems, needsTrust ? files.isContentTrusted : undefined);
    for (const [name, value] of Object.entries(entries)) {
      const server = toServer(name, value, files.env);
      if (typeof server === "string") problems.push(`${path}: ${name}: ${server}`);
      else found.set(name, server);
    }
  }
  return { servers: [...found.values()].filter((server) => server !== undefined), problems };
}

function paths({ agentDir, cwd, trustProject, isContentTrusted, extra }: McpFiles): string[] {
  const project = trustProject || isContentTrusted ? projectMcpFiles(cwd) : [];
  return [...mcpFilesIn(agentDir), ...project, ...(extra === undefined ? [] : [extra])];
}

/** The files of the project that could name MCP servers. */
function projectMcpFiles(cwd: string): string[] {
  return mcpFilesIn(join(cwd, ".gantry"));
}

/** The same files with their command lines and addresses. Never rejects. */
export async function projectMcpCommands(cwd: string): Promise<ConfigCommands[]> {
  return Promise.all(
    projectMcpFiles(cwd).map(async (path) => {
      const entries = await readEntries(path, []);
      return { file: path, commands: Object.entries(entries).map(describeEntry), texts: textsIn(entries) };
    }),
  );
}

function describeEntry([name, value]: [string, unknown]): { name: string; line: string } {
  const { command, args = [], url } = entry().partial().safeParse(value).data ?? {};
  return { name, line: command === undefined ? (url ?? "") : [command, ...args].join(" ") };
}

/** Every text of an entry can name a program, that of a variable as well. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function mcpFilesIn(folder: string): string[] {
  return ["mcp.json", "mcp.yml", "mcp.yaml"].map((name) => join(folder, name)).filter((path) => existsSync(path));
}

async function readEntries(
  path: string,
  problems: string[],
  isContentTrusted?: McpFiles["isContentTrusted"],
): Promise<Record<string, unknown>> {
  try {
    const text = readRegularFile(path, MOST_BYTES).toString("utf8");
    const data: unknown = /\.ya?ml$/.test(path) ? (await import("yaml")).parse(text) : JSON.parse(text);
    const parsed = file().safeParse(data ?? {});
    if (parsed.success) {
      const { mcpServers } = parsed.data;
      if (!isContentTrusted || isContentTrusted(path, text, textsIn(mcpServers))) return mcpServers;
      const wanted = Object.entries(mcpServers).map(describeEntry);
      if (wanted.length === 0) return {};
      const lines = wanted.map(({ name, line }) => `${name} (${line.slice(0, LONGEST_LINE)})`).join(", ");
      problems.push(`${path} names MCP servers that were not started, because you have not trusted it: ${lines}.`);
      return {};
    }
    problems.push(`${path}: ${z.prettifyError(parsed.error)}`);
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  return {};
}

function toServer(name: string, value: unknown, env: McpFiles["env"]): McpServer | undefined | string {
  const parsed = entry().safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { command, url, type, disabled, enabled, timeout, args, cwd } = parsed.data;
  if (disabled || !enabled) return undefined;
  const base = { name, timeoutMs: timeout * 1000 };
  const fillRecord = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, fill(text, env)]));
  if (command !== undefined) {
    return {
      ...base,
      transport: "stdio",
      command,
      args,
      env: fillRecord(parsed.data.env),
      ...(cwd !== undefined && { cwd }),
    };
  }
  if (url !== undefined) {
    const { oauth, headers } = parsed.data;
    return {
      ...base,
      transport: type === "sse" ? "sse" : "http",
      url,
      headers: fillRecord(headers),
      ...(oauth && { oauth: fillRecord(oauth as Record<string, string>) as McpClient }),
    };
  }
  return "needs a command or a url.";
}

/** Expands `${NAME}` and `${NAME:-default}` from the environment, so that files need not contain keys. */
function fill(text: string, env: McpFiles["env"]): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, otherwise = "") => env[name] ?? otherwise);
}
