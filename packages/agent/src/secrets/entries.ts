import type { ConfigProblem } from "@gantry/models";
import { once } from "@gantry/models";
import { readRegularText } from "@gantry/trust";
import { z } from "zod";
import { SHORTEST_NEEDLE } from "./finder.ts";

export type Mode = "obfuscate" | "replace";
export type Rule = { mode: Mode; replacement?: string };
export type Entry = Rule & ({ type: "plain"; content: string } | { type: "regex"; content: string; pattern: RegExp });
export type Entries = { entries: Entry[]; problems: ConfigProblem[] };

const VARIABLE = /(?:KEY|SECRET|TOKEN|PASSWORD|PASS|AUTH|CREDENTIAL|PRIVATE|OAUTH)(?:_|$)/i;
export const SHORTEST_VALUE = 8;

const FileEntry = once(() =>
  z
    .strictObject({
      type: z.enum(["plain", "regex"]),
      content: z.string().min(1),
      mode: z.enum(["obfuscate", "replace"]).default("obfuscate"),
      replacement: z.string().optional(),
      flags: z.string().optional(),
    })
    .refine(({ mode, replacement }) => replacement === undefined || mode === "replace", {
      path: ["replacement"],
      error: "only with `mode: replace`",
    })
    .refine(({ type, flags }) => flags === undefined || type === "regex", {
      path: ["flags"],
      error: "only with `type: regex`",
    })
    .refine(({ type, content }) => type === "regex" || content.length >= SHORTEST_NEEDLE, {
      path: ["content"],
      error: `shorter than ${SHORTEST_NEEDLE} characters: it would be found everywhere`,
    }),
);

/** The values of variables with secret-like names. */
export function environmentEntries(env: Record<string, string | undefined>): Entry[] {
  return Object.entries(env)
    .filter(([name, value]) => VARIABLE.test(name) && (value?.length ?? 0) >= SHORTEST_VALUE)
    .map(([, value]) => ({ type: "plain", content: value ?? "", mode: "obfuscate" }));
}

/** The entries of the files. A later entry replaces an earlier one with the same content. Never throws. */
export async function fileEntries(files: readonly string[]): Promise<Entries> {
  const found = new Map<string, Entry>();
  const problems: ConfigProblem[] = [];
  for (const file of files) {
    const text = textOf(file, problems);
    if (text === undefined) continue;
    const read = await parseFile(file, text);
    problems.push(...read.problems);
    for (const entry of read.entries) found.set(`${entry.type} ${entry.content}`, entry);
  }
  return { entries: [...found.values()], problems };
}

function textOf(file: string, problems: ConfigProblem[]): string | undefined {
  try {
    return readRegularText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push({ file, path: "", message });
    return undefined;
  }
}

async function parseFile(file: string, text: string): Promise<Entries> {
  // The parser is loaded on demand: most folders have no such file, and it is slow to load.
  const { isNode, LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const entries: Entry[] = [];
  const problems: ConfigProblem[] = [];
  const complain = (path: (string | number)[], message: string) => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    const parent = document.getIn(path.slice(0, 1), true);
    const range = isNode(node) ? node.range : isNode(parent) ? parent.range : undefined;
    const place = lines.linePos(range?.[0] ?? 0);
    problems.push({ file, line: place.line, column: place.col, path: path.join("."), message });
  };
  for (const { pos, message } of document.errors) {
    const place = lines.linePos(pos[0]);
    // The parser's message quotes the line, which may contain the secret.
    problems.push({
      file,
      line: place.line,
      column: place.col,
      path: "",
      message: message.split(/ at line|\n/)[0] ?? "",
    });
  }
  if (problems.length > 0) return { entries, problems };
  const list: unknown = document.toJS({ maxAliasCount: 100 });
  if (list === null || list === undefined) return { entries, problems };
  if (!Array.isArray(list)) complain([], "must be a list of entries");
  else for (const [index, item] of list.entries()) addEntry(item, index, entries, complain);
  return { entries, problems };
}

function addEntry(
  item: unknown,
  index: number,
  entries: Entry[],
  complain: (path: (string | number)[], message: string) => void,
): void {
  const parsed = FileEntry().safeParse(item);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) complain([index, ...path.map(String)], message);
    return;
  }
  const { type, content, mode, replacement, flags } = parsed.data;
  const rule = { mode, ...(replacement === undefined ? {} : { replacement }) };
  if (type === "plain") {
    entries.push({ type, content, ...rule });
    return;
  }
  try {
    entries.push({ type, content, pattern: patternOf(content, flags), ...rule });
  } catch (error) {
    complain([index, "content"], (error as Error).message);
  }
}

/** A pattern, or `/pattern/flags`. Always global, never sticky. Throws for an invalid pattern. */
export function patternOf(content: string, flags = ""): RegExp {
  const literal = /^\/(.+)\/([a-z]*)$/s.exec(content);
  const source = literal?.[1] ?? content;
  const given = new Set(`${flags}${literal?.[2] ?? ""}`.replaceAll("y", ""));
  return new RegExp(source, [...given.add("g")].join(""));
}
