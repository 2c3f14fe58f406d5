import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { fuzzyFilter } from "@earendil-works/pi-tui/dist/fuzzy.js";

/** An entry of the `/` menu. `values`: what can follow the name. */
export type SlashItem = {
  name: string;
  description?: string;
  hint?: string;
  values?(): readonly { value: string; description?: string }[];
};

/** A file or a folder of the project, relative to its root. */
export type FileItem = { path: string; kind?: "file" | "folder" };

export type CompletionSources = {
  commands(): readonly SlashItem[];
  /** Best matches first. May throw: then nothing is offered. */
  files?(query: string, limit: number): Promise<readonly FileItem[]>;
};

const MOST_FILES = 20;
/** `@name` at the start of a line or after a space; `@"name with spaces` too. */
const FILE = /(?:^|\s)(@"?[^\s"]*)$/;

/** Completes the `/` menu at the start of a message, values after a command, and `@` files everywhere. */
export function createCompletion(sources: CompletionSources): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, cursorLine, cursorCol): Promise<AutocompleteSuggestions | null> {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const file = FILE.exec(before)?.[1];
      if (file !== undefined) return suggestFiles(sources, file);
      return cursorLine === 0 && before.startsWith("/") ? suggestCommands(sources.commands(), before) : null;
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? "";
      const start = cursorCol - prefix.length;
      const text = line.slice(0, start) + item.value + line.slice(cursorCol);
      const changed = [...lines];
      changed[cursorLine] = text;
      return { lines: changed, cursorLine, cursorCol: start + item.value.length };
    },
  };
}

async function suggestFiles(sources: CompletionSources, token: string): Promise<AutocompleteSuggestions | null> {
  try {
    const found = (await sources.files?.(token.replace(/^@"?/, ""), MOST_FILES)) ?? [];
    const items = found.map(({ path, kind }) => fileItem(path, kind === "folder"));
    return items.length > 0 ? { items, prefix: token } : null;
  } catch {
    return null;
  }
}

function fileItem(path: string, isFolder: boolean): AutocompleteItem {
  const shown = isFolder && !path.endsWith("/") ? `${path}/` : path;
  const value = /\s/.test(shown) ? `@"${shown}"` : `@${shown}`;
  const cut = shown.replace(/\/$/, "").lastIndexOf("/") + 1;
  // A folder can be completed further, a file is complete.
  return { value: isFolder ? value : `${value} `, label: shown.slice(cut), description: shown.slice(0, cut) };
}

function suggestCommands(commands: readonly SlashItem[], before: string): AutocompleteSuggestions | null {
  const [, name = "", rest] = /^\/(\S*)(?:\s+(.*))?$/s.exec(before) ?? [];
  // A path is not a command.
  if (name.includes("/")) return null;
  if (rest === undefined) {
    const found = name === "" ? commands : fuzzyFilter([...commands], name, (command) => command.name);
    const items = found.map((command) => ({
      value: `/${command.name} `,
      label: `/${command.name}${command.hint ? ` ${command.hint}` : ""}`,
      ...(command.description ? { description: command.description } : {}),
    }));
    return items.length > 0 ? { items, prefix: before } : null;
  }
  const values = commands.find((command) => command.name === name)?.values?.() ?? [];
  const found = rest === "" ? values : fuzzyFilter([...values], rest, (choice) => choice.value);
  const items = found.map(({ value, description }) => ({
    value,
    label: value,
    ...(description ? { description } : {}),
  }));
  return items.length > 0 ? { items, prefix: rest } : null;
}
