import { summarise } from "../compaction/summarise.ts";
import { formatTouchedFiles, touchedFiles } from "../compaction/touched-files.ts";
import { type MoveOptions, SessionError } from "../contract/session.ts";
import { navigate, target } from "../session-files/tree.ts";
import type { SessionParts } from "./assemble/assemble.ts";

type Parts = Pick<SessionParts, "transcript" | "settings" | "choice" | "askText">;

/**
 * Goes to another entry of the same session. What is left behind is summed up before anything changes, if that is
 * wanted, and the summary is the first that the model knows there. Rejects with a `SessionError`, and then nothing moved.
 */
export async function moveInTree(
  parts: Parts,
  entryId: string,
  options: MoveOptions,
  signal: AbortSignal,
): Promise<{ text?: string; summary?: string }> {
  const { transcript, settings } = parts;
  const { store } = transcript;
  const left = leftBehind(parts, target(store, entryId).leafId);
  const wanted = options.summarize ?? settings.branchSummary.enabled;
  const summed = wanted && left.length > 0 ? await sumUp(parts, left, options.instructions, signal) : undefined;
  const { text } = navigate(store, entryId, {
    ...(summed && { summary: summed.summary, details: summed.details }),
    ...(options.label !== undefined && { label: options.label }),
  });
  transcript.reload();
  if (summed) transcript.recordUsage(summed.usage);
  return { ...(text !== undefined && { text }), ...(summed && { summary: summed.summary }) };
}

/** Messages of the conversation that are not on the way to this entry. */
function leftBehind({ transcript }: Parts, leafId: string | null) {
  const { store, messages, entryIds } = transcript;
  const kept = new Set<string>();
  for (let id = leafId; id !== null; id = store.entry(id)?.parentId ?? null) kept.add(id);
  return messages.filter((message, place) => message.role !== "compactionSummary" && !kept.has(entryIds[place] ?? ""));
}

async function sumUp(
  { settings, choice, askText }: Parts,
  left: ReturnType<typeof leftBehind>,
  instructions: string | undefined,
  signal: AbortSignal,
) {
  const room = Math.max(8_000, choice.require().contextWindow - settings.compaction.reserveTokens);
  const cut = { history: left, turnPrefix: [], keptFrom: left.length };
  const wishes = { mostCharacters: room * 2, ...(instructions === undefined ? {} : { instructions }) };
  const { text, usage } = await summarise(cut, wishes, askText, signal);
  if (signal.aborted) throw new SessionError("Cancelled");
  const details = touchedFiles(left, undefined);
  return { summary: [text, formatTouchedFiles(details)].filter((part) => part !== "").join("\n\n"), details, usage };
}
