import { basename, dirname, join, relative } from "node:path";
import { isInside, realPath } from "./paths.ts";

/**
 * What a repository supplies: `program` is an executable file, `kernel` an interpreter, `git-program` a setting of git
 * other than a filter that names a program, `search-path` an entry of PATH in the folder, `agent-config` a file that makes
 * another vendor's agent run code, `extension` an extension, a hook or a command of Gantry's own agent.
 */
export type TrustKind =
  | "language-server"
  | "mcp-server"
  | "kernel"
  | "program"
  | "search-path"
  | "setup-script"
  | "check"
  | "hook"
  | "filter"
  | "git-program"
  | "agent-config"
  | "extension";

/** One thing that would run. Trust in it ends when `hash` changes. */
export type TrustItem = {
  kind: TrustKind;
  /** For people: the name of a server, hook, filter or setting. */
  name: string;
  /** The file that it comes from. */
  file: string;
  /** The command line, or the program. */
  command: string;
  hash: string;
  /** Identifies an item that has no file in the work tree, such as a setting of git. */
  id?: string;
};

/** Identifies the item within a folder, so that the same file of another work tree of the repository has the same key. */
export function itemKey({ id, file }: Pick<TrustItem, "id" | "file">, folder: string): string {
  if (id !== undefined) return id;
  const path = join(realPath(dirname(file)), basename(file));
  return `file:${isInside(path, folder) ? relative(folder, path) : path}`;
}

/** The command that trusts a folder, as text for a person. */
export function trustCommand(folder: string): string {
  return `gantry trust ${quotePath(folder)}`;
}

function quotePath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
