import type { Envelope, FileChange, SessionView } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

/** The news about one session for its parent: the end of its last turn, or the input that it waits for. */
export type News =
  | { session: SessionView; kind: "ended"; turn: string; at: string }
  | { session: SessionView; kind: "waiting"; input: string; at: string };

const PAGE = 500;
const MAX_CHARS = 6000;
const MOST_FILES = 30;

/** The message that wakes a parent. It is for a model: short, complete, and with the next step. */
export function reportText(store: Store, news: readonly News[], isLead = false): string {
  const head =
    news.length === 1 ? "A session that you started has news." : `${news.length} sessions that you started have news.`;
  const room = Math.max(500, Math.floor(MAX_CHARS / news.length));
  const parts = news.map((one) =>
    one.kind === "ended" ? describeEnd(store, one, room) : describeWaiting(one, isLead),
  );
  const next = '`gantry logs <session>` shows its log, `gantry send <session> "…"` continues it.';
  return [head, ...parts, next].join("\n\n");
}

function describeWaiting({ session, input }: Extract<News, { kind: "waiting" }>, isLead: boolean): string {
  const title = session.inputs.find(({ id }) => id === input)?.title ?? "something";
  if (isLead) {
    const how = `\`gantry allow ${input}\` or \`gantry deny ${input} --message "…"\``;
    return `${nameOf(session)} waits for a decision: ${title}\nYou are its lead: \`gantry inbox --json\` shows the request, ${how} answers it.`;
  }
  return `${nameOf(session)} waits for a person to decide: ${title}\nYou cannot answer that yourself. It continues when a person has answered.`;
}

function describeEnd(store: Store, { session, turn }: Extract<News, { kind: "ended" }>, room: number): string {
  const { text, files, end } = readTurn(store, session, turn);
  const { outcome = "completed", cost, error } = end?.data ?? {};
  const lines = [`${nameOf(session)} has ended its turn: ${outcome}.`];
  if (error) lines.push(`Error: ${error.message}`);
  if (files.length > 0) lines.push(`Changed files: ${fileList(files)}`);
  if (cost && cost.usd > 0) lines.push(`Cost: $${cost.usd.toFixed(4)}`);
  lines.push(text ? `Its last message:\n${cut(text, room)}` : "It sent no message.");
  return lines.join("\n");
}

function nameOf({ id, title, agent }: SessionView): string {
  return `${id} (${agent}, "${title}")`;
}

type Turn = { text?: string; files: FileChange[]; end?: Envelope<"turn.ended"> };

/** Reads a turn from the end of the log, including events that followed its end. */
function readTurn(store: Store, session: SessionView, turn: string): Turn {
  const events: Envelope[] = [];
  for (let before = session.lastSeq; before > 0; before -= PAGE) {
    const from = Math.max(0, before - PAGE);
    const page = store.readEvents(session.id, from, before - from).map((row) => JSON.parse(row.json) as Envelope);
    events.unshift(...page.filter((event) => event.turn === turn || isDiffOf(event, turn)));
    if (page.some((event) => event.type === "turn.started" && event.turn === turn)) break;
  }
  const messages = events.filter((event) => event.type === "message.done").filter(({ data }) => !data.parent);
  const last = messages.findLast(({ data }) => data.phase !== "commentary") ?? messages.at(-1);
  return { text: last?.data.text, files: changes(events), end: events.find((event) => event.type === "turn.ended") };
}

function isDiffOf(event: Envelope, turn: string): boolean {
  return event.type === "diff.updated" && event.data.turn === turn;
}

/** The exact diff if there is one, else the changes that tools reported. */
function changes(events: readonly Envelope[]): FileChange[] {
  const diff = events.findLast((event) => event.type === "diff.updated");
  if (diff?.type === "diff.updated") return diff.data.files;
  return events.flatMap((event) => (event.type === "tool.ended" ? (event.data.changes ?? []) : []));
}

function fileList(files: readonly FileChange[]): string {
  const paths = [...new Set(files.map(({ path, to }) => to ?? path))];
  const rest = paths.length > MOST_FILES ? ` and ${paths.length - MOST_FILES} more` : "";
  return paths.slice(0, MOST_FILES).join(", ") + rest;
}

function cut(text: string, room: number): string {
  const whole = text.trim();
  if (whole.length <= room) return whole;
  return `${whole.slice(0, room).replace(/[\uD800-\uDBFF]$/, "")}… (${whole.length - room} more characters)`;
}
