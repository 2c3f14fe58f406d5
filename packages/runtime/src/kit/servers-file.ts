import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { replaceFile } from "@gantry/models/replace-file";
import {
  GantryError,
  KitName,
  type McpServer,
  type McpServerRow,
  McpServerSettings,
  type Problem,
} from "@gantry/protocol";
import type { Document } from "yaml";
import { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";

/** Loaded on demand: most homes have no such file, and loading the parser would double the start time. */
const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

const Entries = z.record(KitName, McpServerSettings);

/** The valid servers of the file, and the problems of the others. Never throws. */
export function readServers(path: string): { servers: McpServer[]; problems: Problem[] } {
  try {
    const text = contentOf(path);
    if (text === undefined) return { servers: [], problems: [] };
    const { settings, mistakes } = entriesOf(path, text);
    const servers = Object.entries(settings).map(([name, entry]) => ({ name, ...entry }));
    return { servers, problems: mistakes.map((message) => problem(path, message)) };
  } catch (error) {
    return { servers: [], problems: [problem(path, (error as Error).message)] };
  }
}

/** Adds or replaces an entry; the rest of the file and its comments stay unchanged. Throws `conflict`. */
export function putServer(path: string, name: string, settings: McpServerSettings): void {
  const document = openDocument(path);
  // What is the default need not be written.
  const { enabled, ...rest } = settings;
  const known = document.get(name, true);
  const node = document.createNode(enabled ? rest : { ...rest, enabled });
  if (yaml().isNode(known)) Object.assign(node, { commentBefore: known.commentBefore, comment: known.comment });
  document.set(name, node);
  save(path, document);
}

/** Throws `no_such_server` and `conflict`. */
export function removeServer(path: string, name: string): void {
  const document = openDocument(path);
  if (!document.has(name)) throw new GantryError("no_such_server", `There is no MCP server \`${name}\`.`);
  document.delete(name);
  save(path, document);
}

/** The server without the values of its variables and headers. */
export function rowOf(server: McpServer): McpServerRow {
  const { name, enabled, agents } = server;
  const common = { name, enabled, ...(agents ? { agents } : {}) };
  if ("command" in server) {
    const { command, env } = server;
    return { ...common, command, ...(env ? { env: Object.keys(env) } : {}) };
  }
  const { url, transport, headers } = server;
  return { ...common, url, transport, ...(headers ? { headers: Object.keys(headers) } : {}) };
}

/** Skips invalid entries. Throws `ConfigError` when the file is not a list of servers. */
function entriesOf(path: string, text: string): { settings: Record<string, McpServerSettings>; mistakes: string[] } {
  try {
    return { settings: parseYaml(path, text, Entries), mistakes: [] };
  } catch (error) {
    const entries = parseYaml(path, text, z.record(z.string(), z.unknown()));
    const good = Object.entries(entries).flatMap(([name, entry]) => {
      const one = Entries.safeParse({ [name]: entry });
      return one.success ? Object.entries(one.data) : [];
    });
    return { settings: Object.fromEntries(good), mistakes: (error as ConfigError).message.split("\n") };
  }
}

function openDocument(path: string): Document {
  const text = contentOf(path) ?? "";
  const document = yaml().parseDocument(text);
  const broken = document.errors[0];
  if (broken) throw blockedChangeError(`${path}: ${broken.message}`);
  if (text.trim() !== "" && document.contents !== null && !yaml().isMap(document.contents))
    throw blockedChangeError(`${path} is not a list of servers by name.`);
  // An empty file has no contents to add to; the document preserves its comments.
  if (!yaml().isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (yaml().isMap(document.contents)) document.contents.flow = false;
  return document;
}

function blockedChangeError(message: string): GantryError {
  return new GantryError("conflict", message, { remedy: "Correct the file by hand first; nothing was changed." });
}

function save(path: string, document: Document): void {
  // The file can hold secrets in headers and variables.
  replaceFile(path, document.toString({ lineWidth: 0 }), 0o600);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function problem(path: string, message: string): Problem {
  return { code: "bad_mcp_file", message, fix: `Correct ${path}; a change holds for the next start of an agent.` };
}
