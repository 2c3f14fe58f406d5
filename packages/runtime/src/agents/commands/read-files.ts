import { isAbsolute, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentCommands, KnownCommand, OutputStyle } from "@gantry/protocol";
import { isInside, listEntries, readRegularText, realPath } from "@gantry/trust";
import type { CommandFiles, CommandFolder } from "./declaration.ts";

/** Larger files are refused: only their first lines matter. */
const MOST_BYTES = 64 * 1024;
/** Files that are read of one folder. */
const MOST_FILES = 200;
const MOST_DESCRIPTION = 300;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/;

type Place = { home: string; env: Readonly<Record<string, string | undefined>> };
type Found = Pick<AgentCommands, "commands" | "styles">;

/**
 * The commands, skills and output styles that files define: the user's and, with `project`, those of that folder.
 * Only regular files of bounded size are read. Links are not followed, because a project could point them anywhere.
 * Never throws.
 */
export async function readCommandFiles(files: CommandFiles, place: Place, project?: string): Promise<Found> {
  const found: Found = { commands: [], styles: [] };
  const named = files.root.variable === undefined ? undefined : place.env[files.root.variable];
  const root = files.root.folder ?? (named && isAbsolute(named) ? named : join(place.home, files.root.path));
  for (const folder of files.folders) {
    if (project !== undefined && folder.project !== undefined) {
      const at = join(project, folder.project);
      if (isInside(realPath(at), realPath(project))) readFolder(found, folder, at, "project");
    }
    if (folder.user !== undefined) readFolder(found, folder, join(root, folder.user), "user");
    // A folder may hold many files: other requests get their turn.
    await nextTurn();
  }
  return found;
}

/** The first command of a name wins: a project overrides the user. */
function readFolder(found: Found, folder: CommandFolder, at: string, scope: "user" | "project"): void {
  for (const { name, path } of listNames(folder, at).slice(0, MOST_FILES)) {
    const head = readHead(path);
    if (!head) continue;
    if (folder.kind === "style") addStyle(found.styles, { ...head, name: head.name ?? name }, scope);
    else addCommand(found.commands, { ...head, name: `${folder.prefix ?? ""}${name}` }, folder.kind, scope);
  }
}

function addStyle(styles: OutputStyle[], { name, description }: Head & { name: string }, scope: "user" | "project") {
  if (!styles.some((style) => style.name === name))
    styles.push({ name, ...(description ? { description } : {}), scope });
}

function addCommand(
  commands: KnownCommand[],
  { name, description, hint }: Head & { name: string },
  kind: KnownCommand["kind"],
  scope: "user" | "project",
): void {
  if (!NAME.test(name) || commands.some((command) => command.name === name)) return;
  commands.push({ name, ...(description ? { description } : {}), ...(hint ? { hint } : {}), kind, scope });
}

function listNames({ kind, extension = ".md", separator = ":" }: CommandFolder, at: string) {
  if (kind === "skill") {
    const folders = listEntries(at)
      .filter(({ entry }) => entry.isDirectory())
      .slice(0, MOST_FILES);
    return folders.flatMap(({ path: name }) => {
      const file = listEntries(join(at, name)).find(({ path, entry }) => path === "SKILL.md" && entry.isFile());
      return file ? [{ name, path: join(at, name, "SKILL.md") }] : [];
    });
  }
  const entries = listEntries(at, { deep: kind === "command" });
  return entries
    .filter(({ path, entry }) => entry.isFile() && path.endsWith(extension) && !/(^|\/)\./.test(path))
    .map(({ path }) => ({ name: path.slice(0, -extension.length).split("/").join(separator), path: join(at, path) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Head = { name?: string; description?: string; hint?: string };

/** Description and argument hint. `undefined` for a file that is not read. */
function readHead(path: string): Head | undefined {
  try {
    const text = readRegularText(path, MOST_BYTES);
    const [, front] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
    const head = path.endsWith(".toml") ? text : (front ?? "");
    return { name: field(head, "name"), description: field(head, "description"), hint: field(head, "argument-hint") };
  } catch {
    return undefined;
  }
}

/** A field on one line of YAML or TOML, without quotes and control characters. */
function field(head: string, name: string): string | undefined {
  const [, value = ""] = new RegExp(`^${name}[ \\t]*[:=][ \\t]*(.*)$`, "m").exec(head) ?? [];
  const [, quoted] = /^(?:"""|"|')(.*?)(?:"""|"|')\s*$/.exec(value) ?? [];
  const plain = (quoted ?? value)
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")
    .trim()
    .slice(0, MOST_DESCRIPTION);
  return /^[>|][+-]?$/.test(plain) ? undefined : plain || undefined;
}
