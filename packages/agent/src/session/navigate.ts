import { summarise } from "../compaction/summarise.ts";
import { formatTouchedFiles, touchedFiles } from "../compaction/touched-files.ts";
import { type MoveOptions, SessionError } from "../contract/session.ts";
import { navigate, target } from "../session-files/tree.ts";
import type { SessionParts } from "./assemble/assemble.ts";

type Parts = Pick<SessionParts, "transcript" | "settings" | "choice" | "askText">;

/**
 * Moves to another entry of the same session. If requested, the abandoned branch is summarised first, and the summary
 * becomes the first entry after the target. Rejects with a `SessionError`; nothing has moved then.
 */
export async function moveInTree(
  parts: Parts,
  entryId: string,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<{ text?: string; summary?: string }> {
  const { transcript, settings } = parts;
  const { store } = transcript;
  const abandoned = abandonedMessages(parts, target(store, entryId).leafId);
  const summarize = (options.summarize ?? settings.branchSummary.enabled) && abandoned.length > 0;
  const summary = summarize ? await summariseBranch(parts, abandoned, options.instructions, signal) : undefined;
  const { text } = navigate(store, entryId, {
    ...(summary && { summary: summary.text, details: summary.details }),
    ...(options.label !== undefined && { label: options.label }),
  });
  transcript.reload();
  if (summary) transcript.recordUsage(summary.usage);
  return { ...(text !== undefined && { text }), ...(summary && { summary: summary.text }) };
}

/** The messages of the conversation that are not on the path to this entry. */
function abandonedMessages({ transcript }: Parts, leafId: string | null) {
  const { store, messages, entryIds } = transcript;
  const onPath = new Set<string>();
  for (let id = leafId; id !== null; id = store.entry(id)?.parentId ?? null) onPath.add(id);
  return messages.filter(
    (message, index) => message.role !== "compactionSummary" && !onPath.has(entryIds[index] ?? ""),
  );
}

async function summariseBranch(
  { settings, choice, askText }: Parts,
  messages: ReturnType<typeof abandonedMessages>,
  instructions: string | undefined,
  signal: AbortSignal,
) {
  const room = Math.max(8_000, choice.require().contextWindow - settings.compaction.reserveTokens);
  const cut = { history: messages, turnPrefix: [], recentFrom: messages.length };
  const limits = { mostCharacters: room * 2, ...(instructions === undefined ? {} : { instructions }) };
  const { text, usage } = await summarise(cut, limits, askText, signal);
  if (signal.aborted) throw new SessionError("Cancelled");
  const details = touchedFiles(messages, undefined);
  return { text: [text, formatTouchedFiles(details)].filter((part) => part !== "").join("\n\n"), details, usage };
}
