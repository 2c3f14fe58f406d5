import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConversationHead, HistoryEntry } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, parseFields } from "../../fields.ts";
import { fileHistory, type Head } from "../../history/file-history.ts";
import { isoTime, readHistoryLines, titleFrom, unreadNotice } from "../../history/recorder.ts";
import { isPrompt, promptText } from "./prompts.ts";
import { GeminiReader } from "./reader.ts";

/** Size limit for documents of the older format, which are read whole. */
const LARGEST_DOCUMENT = 64 * 1024 * 1024;

/**
 * Gemini's conversations: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, or `.json` in older versions. A
 * sibling file or the project list maps the project to its folder.
 */
export const history = fileHistory({
  folders: ({ env, home }) => [join(env.GEMINI_CLI_HOME || home, ".gemini", "tmp")],
  isConversation: (path) => /^[^/]+\/chats\/session-[^/]+\.jsonl?$/.test(path),
  head: headOf,
  read: (found) =>
    found.path.endsWith(".json") ? readDocument(found) : readHistoryLines(found.path, new GeminiReader(found.id)),
});

function headOf(lines: string[], path: string): Head | undefined {
  const entries = path.endsWith(".json") ? documentHead(lines.join("\n")) : lines.map(parseFields).flatMap(entriesIn);
  const first = entries.find((entry) => nonBlank(entry.sessionId));
  const id = nonBlank(first?.sessionId);
  const prompt = entries.find(isPrompt);
  if (!first || !id || !prompt || first.kind === "subagent") return undefined;
  const cwd = projectRoot(dirname(dirname(path)), nonBlank(first.projectHash));
  return compact({ id, cwd, title: titleFrom(promptText(prompt.content)), startedAt: isoTime(first.startTime) });
}

/** A line may contain all messages. */
function entriesIn(entry: Fields): Fields[] {
  const set = fields(entry.$set);
  return list(set.messages).length > 0 ? list(set.messages).map(fields) : [entry];
}

/** Reads the head of a document, which is not yet valid JSON. */
function documentHead(text: string): Fields[] {
  const value = (key: string) => new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1];
  const parseString = (json: string | undefined) => (json ? String(JSON.parse(json)) : undefined);
  const user = /"type"\s*:\s*"user"\s*,\s*"content"\s*:\s*(?:\[\s*\{\s*"text"\s*:\s*)?("(?:[^"\\]|\\.)*")/.exec(
    text,
  )?.[1];
  const head = {
    sessionId: parseString(value("sessionId")),
    startTime: parseString(value("startTime")),
    projectHash: parseString(value("projectHash")),
  };
  return [head, ...(user ? [{ type: "user", content: parseString(user) }] : [])];
}

function projectRoot(folder: string, hash: string | undefined): string | undefined {
  const root = content(join(folder, ".project_root"))?.trim();
  if (root) return root;
  const projects = fields(parseFields(content(join(dirname(dirname(folder)), "projects.json"))).projects);
  return Object.keys(projects).find((path) => createHash("sha256").update(path).digest("hex") === hash);
}

function content(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

async function* readDocument({ id, path, bytes }: ConversationHead): AsyncGenerator<HistoryEntry> {
  const reader = new GeminiReader(id);
  const messages = bytes > LARGEST_DOCUMENT ? undefined : messagesIn(await readFile(path, "utf8"));
  for (const message of messages ?? []) {
    reader.line(message);
    yield* reader.takeEntries();
  }
  reader.finish();
  yield* reader.takeEntries();
  if (!messages) yield { output: unreadNotice(1) };
}

function messagesIn(text: string): unknown[] | undefined {
  const { messages } = parseFields(text);
  return Array.isArray(messages) ? messages : undefined;
}
