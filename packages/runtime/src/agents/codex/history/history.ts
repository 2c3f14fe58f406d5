import { join } from "node:path";
import { compact, type Fields, fields, nonBlank } from "../../fields.ts";
import { fileHistory, type Head } from "../../history/file-history.ts";
import { ParsedLines } from "../../history/parsed-lines.ts";
import { isoTime, readHistoryLines, titleFrom } from "../../history/recorder.ts";
import { isAside, messageText } from "./prompts.ts";
import { CodexReader } from "./reader.ts";

/** Codex's conversations: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, and the archive. */
export const history = fileHistory({
  folders: ({ env, home }) => {
    const own = env.CODEX_HOME || join(home, ".codex");
    return [join(own, "sessions"), join(own, "archived_sessions")];
  },
  isConversation: (path) => /(^|\/)rollout-[^/]+\.jsonl$/.test(path),
  head: headOf,
  read: (found) => readHistoryLines(found.path, new CodexReader(found.id)),
});

function headOf(lines: string[]): Head | undefined {
  const entries = new ParsedLines(lines);
  const meta = fields(entries.find(({ type }) => type === "session_meta")?.payload);
  const id = nonBlank(meta.id);
  // A subagent's file belongs to the conversation that started it.
  if (!id || nonBlank(meta.parent_thread_id) || fields(meta.source).subagent !== undefined) return undefined;
  const prompt = entries.find((entry) => userText(entry) !== undefined, '"user"');
  const title = titleFrom(prompt && userText(prompt));
  return compact({ id, cwd: nonBlank(meta.cwd), title, startedAt: isoTime(meta.timestamp) });
}

function userText({ type, payload }: Fields): string | undefined {
  const item = fields(payload);
  if (type !== "response_item" || item.type !== "message" || item.role !== "user") return undefined;
  const prompt = messageText(item.content);
  return isAside(prompt) ? undefined : nonBlank(prompt);
}
