import { type Envelope, plainText, type SessionView } from "@gantry/protocol";

const LONGEST = 300;
/** More texts than this are counted, and only the last is read out. */
const MOST = 3;

/** The text that a screen reader gets for an event; `undefined` for most. Sessions that are not open report requests and failures only. */
export function announcementOf(event: Envelope, session: SessionView, isOpen: boolean): string | undefined {
  const from = isOpen ? "" : `${session.title}: `;
  if (event.type === "input.requested") return `${from}Needs you: ${cut(event.data.title)}`;
  if (event.type === "turn.ended" && event.data.outcome === "failed")
    return `${from}Failed: ${cut(event.data.error?.message ?? "the turn did not finish")}`;
  if (!isOpen) return undefined;
  if (event.type === "message.done" && event.data.parent === undefined) return cut(plainText(event.data.text));
  if (event.type === "turn.ended" && event.data.outcome === "completed") return "Done.";
  return undefined;
}

/** One text for all that happened since the last announcement. */
export function joinAnnouncements(texts: readonly string[]): string {
  if (texts.length <= MOST) return texts.join("\n");
  return `${texts.length} new messages. ${texts.at(-1)}`;
}

function cut(text: string): string {
  const line = text
    .slice(0, LONGEST * 2)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
