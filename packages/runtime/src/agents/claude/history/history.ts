import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ConversationHead, HistoryEntry } from "../../contract.ts";
import { compact, type Fields, fields, isFields, nonBlank } from "../../fields.ts";
import { fileHistory, type Head } from "../../history/file-history.ts";
import { ParsedLines } from "../../history/parsed-lines.ts";
import { isoTime, readHistoryLines, titleFrom } from "../../history/recorder.ts";
import { isPrompt, promptText } from "./prompts.ts";
import { ClaudeReader } from "./reader.ts";

/** Claude Code's conversations: `~/.claude/projects/<folder>/<id>.jsonl`, with subagents in a sibling folder. */
export const history = fileHistory({
  folders: ({ env, home }) => [join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects")],
  isConversation: (path) => /^[^/]+\/(?!agent-)[^/]+\.jsonl$/.test(path),
  head: headOf,
  read,
});

/** A subagent's entries follow its call. */
async function* read({ path }: ConversationHead): AsyncGenerator<HistoryEntry> {
  const reader = new ClaudeReader(subagentFiles(path));
  for await (const past of readHistoryLines(path, reader)) {
    yield past;
    for (const nested of reader.insets()) yield* withoutOffset(readHistoryLines(nested.path, nested));
  }
}

async function* withoutOffset(entries: AsyncIterable<HistoryEntry>): AsyncGenerator<HistoryEntry> {
  for await (const { offset: _, ...past } of entries) yield past;
}

function headOf(lines: string[], path: string): Head | undefined {
  const entries = new ParsedLines(lines);
  const prompt = entries.find(isPrompt, '"user"');
  // A file without prompts is left by a program that was started and closed.
  if (!prompt && !entries.find(({ type }) => type === "assistant", '"assistant"')) return undefined;
  const titled =
    entries.find(({ type }) => TITLES.includes(String(type)), "itle") ?? entries.find(isSummary, '"summary"');
  const title = nonBlank(titled?.customTitle) ?? nonBlank(titled?.aiTitle) ?? nonBlank(titled?.summary);
  const firstPrompt = prompt && promptText(fields(prompt.message).content);
  return compact({
    id: basename(path, ".jsonl"),
    cwd: nonBlank(entries.find(({ cwd }) => nonBlank(cwd) !== undefined, '"cwd"')?.cwd),
    title: title ?? titleFrom(firstPrompt),
    startedAt: isoTime(entries.find(({ timestamp }) => isoTime(timestamp) !== undefined)?.timestamp),
  });
}

const TITLES = ["custom-title", "ai-title"];

function isSummary({ type }: Fields): boolean {
  return type === "summary";
}

/** Subagent files by their tool call. */
function subagentFiles(path: string): Map<string, { id: string; path: string; meta: Fields }> {
  const folder = join(dirname(path), basename(path, ".jsonl"), "subagents");
  const files = new Map<string, { id: string; path: string; meta: Fields }>();
  for (const name of names(folder).filter((entry) => entry.endsWith(".meta.json"))) {
    const meta = parseLine(content(join(folder, name))) ?? {};
    const call = nonBlank(meta.toolUseId);
    const id = name.slice("agent-".length, -".meta.json".length);
    if (call) files.set(call, { id, meta, path: join(folder, `agent-${id}.jsonl`) });
  }
  return files;
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function content(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseLine(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
