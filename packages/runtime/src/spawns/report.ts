import type { Envelope, FileChange, SessionView } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

/** What a parent is told of one session: how its last turn ended, or what it waits for. */
export type News =
  | { session: SessionView; kind: "ended"; turn: string; at: string }
  | { session: SessionView; kind: "waiting"; input: string; at: string };

const PAGE = 500;
const WORDS = 6000;
const MOST_FILES = 30;

/** The message that wakes a parent. It is for a model to read: short, whole, and with what to do next. */
export function reportText(store: Store, news: readonly News[]): string {
  const head =
    news.length === 1 ? "A session that you began has news." : `${news.length} sessions that you began have news.`;
  const room = Math.max(500, Math.floor(WORDS / news.length));
  const parts = news.map((one) => (one.kind === "ended" ? ended(store, one, room) : waiting(one)));
  const next = '`gantry logs <session>` tells all of it, `gantry send <session> "…"` goes on with it.';
  return [head, ...parts, next].join("\n\n");
}

function waiting({ session, input }: Extract<News, { kind: "waiting" }>): string {
  const title = session.inputs.find(({ id }) => id === input)?.title ?? "something";
  return `${nameOf(session)} waits for a person to decide: ${title}\nYou cannot answer that yourself; it goes on when a person has.`;
}

function ended(store: Store, { session, turn }: Extract<News, { kind: "ended" }>, room: number): string {
  const { words, files, end } = readTurn(store, session, turn);
  const { outcome = "completed", cost, error } = end?.data ?? {};
  const lines = [`${nameOf(session)} has ended its turn: ${outcome}.`];
  if (error) lines.push(`What went wrong: ${error.message}`);
  if (files.length > 0) lines.push(`Changed files: ${fileList(files)}`);
  if (cost && cost.usd > 0) lines.push(`Cost: $${cost.usd.toFixed(4)}`);
  lines.push(words ? `Its last words:\n${cut(words, room)}` : "It said nothing.");
  return lines.join("\n");
}

function nameOf({ id, title, agent }: SessionView): string {
  return `${id} (${agent}, "${title}")`;
}

type Turn = { words?: string; files: FileChange[]; end?: Envelope<"turn.ended"> };

/** The turn as the log has it, read from its end. What was found out of it after its end counts too. */
function readTurn(store: Store, session: SessionView, turn: string): Turn {
  const events: Envelope[] = [];
  for (let before = session.lastSeq; before > 0; before -= PAGE) {
    const from = Math.max(0, before - PAGE);
    const page = store.readEvents(session.id, from, before - from).map((row) => JSON.parse(row.json) as Envelope);
    events.unshift(...page.filter((event) => event.turn === turn || isDiffOf(event, turn)));
    if (page.some((event) => event.type === "turn.started" && event.turn === turn)) break;
  }
  const said = events.filter((event) => event.type === "message.done").filter(({ data }) => !data.parent);
  const words = said.findLast(({ data }) => data.phase !== "commentary") ?? said.at(-1);
  return { words: words?.data.text, files: changes(events), end: events.find((event) => event.type === "turn.ended") };
}

function isDiffOf(event: Envelope, turn: string): boolean {
  return event.type === "diff.updated" && event.data.turn === turn;
}

/** The exact difference where there is one, else what the tools said that they changed. */
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
