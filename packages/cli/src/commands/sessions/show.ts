import type { Client } from "@gantry/client";
import {
  type Envelope,
  formatControls,
  type Lane,
  limitTitle,
  type PastSession,
  runningTasks,
  type Session,
} from "@gantry/protocol";
import {
  firstLine,
  formatAgo,
  formatDollars,
  formatDuration,
  formatTokens,
  formatUsage,
  homePath,
  type Paint,
  pluralize,
  renderFacts,
  shortId,
  stripControls,
  truncateText,
  wrapText,
} from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { contextLines, loadContext } from "./context-parts.ts";
import { momentFacts, planLines } from "./moment.ts";
import { stateWord } from "./state.ts";

const MESSAGE_ROWS = 12;
const TAIL = 300;

/** One session on one screen. `context` asks the agent what fills its context; `at` shows an earlier moment. */
export default async function show(
  this: Context,
  flags: { context: boolean; at?: number },
  name: string,
): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const found = await resolveSession(client, name);
  if (flags.at !== undefined) return showMoment(output, client, await client.sessions.at(found.id, flags.at));
  const session = flags.context ? await loadContext(client, found) : found;
  if (output.json) return output.data(session);
  const width = output.width?.() ?? 100;
  // A session outlives its lane: show it without the lane.
  const lane = await client.lanes.ofSession(session.id).catch(() => undefined);
  const lines = [
    `${output.paint.bold(stripControls(session.title))}  ${stateWord(session, output.paint)}`,
    "",
    ...renderFacts(summary(session, lane), output.paint.dim),
    ...contextSection(session, output.paint),
    ...(lane?.missing ?? []).map((text) => output.paint.yellow(text)),
    ...queueLines(session, output.paint, width),
    ...inputLines(session, output.paint, width),
    ...taskLines(session, output.paint, width),
    ...messageLines(await lastMessage(client, session.id), output.paint, width),
  ];
  output.print(lines);
}

async function showMoment(output: Context["output"], client: Client, past: PastSession): Promise<void> {
  if (output.json) return output.data(past);
  const width = output.width?.() ?? 100;
  const { events } = await client.sessions.events(past.id, {
    after: Math.max(0, past.lastSeq - TAIL),
    limit: Math.min(TAIL, past.lastSeq),
  });
  output.print([
    `${output.paint.bold(stripControls(past.title))}  ${stateWord(past, output.paint)}`,
    "",
    ...renderFacts([...momentFacts(past), ...summary(past, undefined)], output.paint.dim),
    ...planLines(past, output.paint, width),
    ...queueLines(past, output.paint, width),
    ...inputLines(past, output.paint, width, false),
    ...taskLines(past, output.paint, width),
    ...messageLines(findLastMessage(events), output.paint, width),
  ]);
}

function contextSection(session: Session, paint: Paint): string[] {
  const lines = contextLines(session, paint);
  return lines.length > 0 ? ["", ...lines] : [];
}

/** What applies, if it is not simply the requested mode, and whether the agent confirmed it. */
function appliedText({ mode, modeApplied, modeConfirmed, modeNative }: Session): string {
  if (mode === "inherit") {
    const native = modeNative && modeNative !== modeApplied ? modeNative : undefined;
    const own = modeApplied === "inherit" ? native : [modeApplied, native].filter(Boolean).join(", ");
    return modeConfirmed && own ? ` (the agent reports ${own})` : " (unconfirmed: the agent has reported no mode)";
  }
  if (modeApplied && modeApplied !== mode) return ` (runs as ${modeApplied})`;
  return modeConfirmed ? "" : " (unconfirmed: the agent has reported no mode)";
}

/** The requested native controls, and what the agent reports. */
function controlsText({ controls = {}, controlsApplied = {} }: Session): string | undefined {
  const requested = Object.entries(controls).map(([id, value]) => {
    const applied = controlsApplied[id];
    if (applied === value) return `${id}=${value}`;
    return `${id}=${value} (${applied === undefined ? "unconfirmed" : `the agent reports ${applied}`})`;
  });
  const others = Object.entries(controlsApplied).filter(([id]) => !Object.hasOwn(controls, id));
  const reported = others.length > 0 ? [`the agent reports ${formatControls(Object.fromEntries(others))}`] : [];
  return stripControls([...requested, ...reported].join(", ")) || undefined;
}

/** The requested model, and the one that the agent reports if it is another one. */
function modelText({ model, servedModel, effort }: Session): string {
  const requested = model ?? "the agent's default";
  const reported = servedModel !== undefined && servedModel !== model ? ` (the agent reports ${servedModel})` : "";
  return stripControls([requested + reported, effort && `effort ${effort}`].filter(Boolean).join(", "));
}

function settingFacts(session: Session): [string, string | undefined][] {
  const { agent, mode, plugins = [] } = session;
  const unenforced = session.unenforced?.[session.modeApplied ?? mode];
  return [
    ["agent", agent],
    ["model", modelText(session)],
    ["mode", mode + appliedText(session)],
    ["", unenforced && `cannot be enforced: ${unenforced}`],
    ["controls", controlsText(session)],
    ["plugins", stripControls(plugins.join(", ")) || undefined],
  ];
}

/** The settings of a session, one line each. */
export function settingLines(session: Session): string[] {
  return renderFacts(settingFacts(session), (text) => text);
}

function summary(session: Session, lane: Lane | undefined): [string, string | undefined][] {
  const now = Date.now();
  const running = session.turn && `turn ${session.turns}, since ${formatAgo(session.turn.startedAt, now)}`;
  const rested =
    session.lastTurn &&
    `${pluralize(session.turns, "turn")}, the last ${session.lastTurn.outcome} ${formatAgo(session.lastTurn.endedAt, now)}`;
  const { ttftMs } = session.lastTurn ?? {};
  const context =
    session.context &&
    `${formatTokens(session.context.used)}${session.context.size ? ` of ${formatTokens(session.context.size)}` : ""}`;
  return [
    ["session", session.id],
    ...settingFacts(session),
    ["folder", homePath(session.cwd)],
    ...(session.folders ?? []).map((folder): [string, string] => ["and folder", homePath(folder)]),
    [
      "lane",
      session.lane && (lane ? `${lane.name} on ${lane.branch ?? "a detached HEAD"}` : `${session.lane}, which is gone`),
    ],
    ["identity", session.identity],
    ["summary", session.summary],
    ["parent", session.parent],
    ["lead", session.lead ? "answers, hands off and lands for the sessions that it started" : undefined],
    ["turn", running ?? rested ?? "none yet"],
    ["first output", ttftMs === undefined ? undefined : `${formatDuration(ttftMs)} after the start of the last turn`],
    ["stalled", session.stalled && `${session.stalled.reason} (${formatAgo(session.stalled.since, now)})`],
    ["limit", limitLine(session)],
    ["tokens", session.turns > 0 ? formatUsage(session.usage) : undefined],
    ["cost", costLine(session)],
    ["context", context],
    ["unknown frames", session.raw > 0 ? String(session.raw) : undefined],
    ["created", formatAgo(session.createdAt, now)],
  ];
}

function limitLine({ id, limit }: Session): string | undefined {
  if (!limit) return undefined;
  const what =
    limit.text ?? `${limitTitle(limit)}${limit.window && limit.source !== "budget" ? ` (${limit.window})` : ""}`;
  return limit.source === "budget" ? what : `${what}; now: gantry limits resume ${shortId(id)}`;
}

function costLine({ cost, budget, unpriced = 0 }: Session): string | undefined {
  const known = cost && cost.usd > 0 ? formatDollars(cost) : undefined;
  const most = budget && `of $${budget.usd}`;
  const rest = unpriced > 0 ? `${pluralize(unpriced, "turn")} of unknown cost` : undefined;
  return [known, most, rest].filter(Boolean).join(", ") || undefined;
}

function queueLines(session: Session, paint: Paint, width: number): string[] {
  if (session.queue.length === 0) return [];
  const rows = session.queue.map((entry, index) =>
    truncateText(
      `  ${index + 1}  ${paint.dim(shortId(entry.message))}  ${firstLine(stripControls(entry.text))}`,
      width,
    ),
  );
  const paused = session.queueState === "paused";
  const hint = paused ? [paint.dim(`  gantry queue resume ${shortId(session.id)}`)] : [];
  return ["", paint.bold(paused ? "Queue (paused)" : "Queue"), ...rows, ...hint];
}

/** An input of the past cannot be answered. */
function inputLines(session: Session, paint: Paint, width: number, answerable = true): string[] {
  if (session.inputs.length === 0) return [];
  const rows = session.inputs.map((input) =>
    truncateText(`  ${paint.yellow("◆")} ${shortId(input.id)}  ${firstLine(stripControls(input.title))}`, width),
  );
  const first = session.inputs[0];
  const hint = answerable ? [paint.dim(`  gantry allow ${first ? shortId(first.id) : "last"}`)] : [];
  return ["", paint.bold(answerable ? "Waits for you" : "Waited for you"), ...rows, ...hint];
}

function taskLines(session: Session, paint: Paint, width: number): string[] {
  const rows = runningTasks(session).map(({ task, title, activity }) => {
    const what = firstLine(stripControls(activity === undefined ? title : `${title}: ${activity}`));
    return truncateText(`  ${paint.cyan("●")} ${task}  ${what}`, width);
  });
  if (rows.length === 0) return [];
  return [
    "",
    paint.bold("Runs in the background"),
    ...rows,
    paint.dim(`  gantry tasks ${shortId(session.id)} stop <task>`),
  ];
}

function messageLines(text: string | undefined, paint: Paint, width: number): string[] {
  if (!text) return [];
  const rows = stripControls(text)
    .trim()
    .split("\n")
    .flatMap((line) => wrapText(line, width - 2));
  const rest = rows.length > MESSAGE_ROWS ? [paint.dim(`… ${pluralize(rows.length - MESSAGE_ROWS, "more line")}`)] : [];
  return [
    "",
    paint.bold("Last message"),
    ...[...rows.slice(0, MESSAGE_ROWS), ...rest].map((row) => `  ${row}`.trimEnd()),
  ];
}

async function lastMessage(client: Client, id: string): Promise<string | undefined> {
  const { events } = await client.call("sessionEvents", { params: { id }, query: { tail: TAIL } });
  return findLastMessage(events as Envelope[]);
}

function findLastMessage(events: readonly Envelope[]): string | undefined {
  const done = events.findLast((event) => event.type === "message.done" && !event.data.parent);
  return done?.type === "message.done" ? done.data.text : undefined;
}
