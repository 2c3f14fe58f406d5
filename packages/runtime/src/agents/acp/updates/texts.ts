import { addUsage, noUsage } from "@gantry/protocol";
import { itemId, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Aside, Dialect } from "../dialect.ts";
import { event, notice } from "../outputs.ts";
import type { OpenText, State } from "../state.ts";
import { ensureTurn, markOutput } from "../turns/begin.ts";
import { countLate } from "../turns/trail.ts";
import { blockText } from "../wire/content.ts";
import { readUsage } from "../wire/usage.ts";
import { handleMode } from "./options.ts";

type Channel = OpenText["channel"];

/** Handles a chunk of a message or a thought. */
export function handleChunk(dialect: Dialect, state: State, update: Fields, channel: Channel): Step<State> {
  const piece = pieceOf(dialect, state, update, channel);
  const counted = countTokens(state, update);
  if (piece === "") return [counted, []];
  const aside = channel === "text" ? asideOf(dialect, update, piece) : undefined;
  if (aside) return handleAside(dialect, counted, aside, piece);
  if (state.replaying) return [counted, []];
  const { turn } = counted;
  if (turn?.counting) {
    const counting = { ...turn.counting, reply: turn.counting.reply + piece };
    return [{ ...counted, turn: { ...turn, counting } }, []];
  }
  return runSteps(
    countLate(counted),
    (current) => ensureTurn(current),
    (current) =>
      appendText(
        current,
        piece,
        channel,
        text(update.messageId),
        parentOf(update) ?? runningSubagent(dialect, current),
      ),
  );
}

/** The running subagent, for agents that do not mark its messages; undefined if there are several. */
function runningSubagent({ subagentsSpeak }: Dialect, { tools }: State): string | undefined {
  if (!subagentsSpeak) return undefined;
  const [call, ...more] = Object.entries(tools).filter(([, tool]) => tool.subagent);
  return call && more.length === 0 ? itemId(call[0]) : undefined;
}

/** Separates complete thoughts with a blank line and drops empty headings. */
function pieceOf(dialect: Dialect, state: State, update: Fields, channel: Channel): string {
  const piece = blockText(update.content);
  if (!dialect.wholeThoughts || channel !== "reasoning") return piece;
  const thought = piece.replace(/^\*\*\s*\*\*\n/, "");
  return thought && state.text?.channel === "reasoning" ? `\n\n${thought}` : thought;
}

/** Handles a complete message of version 2. Only the part that was not streamed is new. */
export function handleWholeMessage(state: State, update: Fields, channel: Channel): Step<State> {
  const whole = list(update.content).map(blockText).join("");
  const message = text(update.messageId);
  const open = state.text?.message === message && state.text?.channel === channel ? state.text : undefined;
  const rest = open && whole.startsWith(open.text) ? whole.slice(open.text.length) : open ? "" : whole;
  if (rest === "" || state.replaying) return [state, []];
  return runSteps(
    state,
    (current) => ensureTurn(current),
    (current) => appendText(current, rest, channel, message, parentOf(update)),
  );
}

function appendText(state: State, piece: string, channel: Channel, message?: string, parent?: string): Step<State> {
  const open = state.text;
  const sameTurn = open !== undefined && (open.late === true) === (state.turn === undefined);
  const sameMessage = !message || !open?.message || message === open.message;
  const continues = sameTurn && sameMessage && open.channel === channel && open.parent === parent;
  if (!continues) {
    return runSteps(state, closeText, (current) => {
      const late = current.turn ? undefined : true;
      const item = itemId(`${current.seed}.${current.items + 1}`);
      const fresh: OpenText = compact({ item, channel, text: "", message, parent, late });
      return appendChunk({ ...current, items: current.items + 1, text: fresh }, fresh, piece);
    });
  }
  return appendChunk(state, compact({ ...open, message: open.message ?? message }), piece);
}

function appendChunk(state: State, open: OpenText, piece: string): Step<State> {
  const next: State = { ...markOutput(state), text: { ...open, text: open.text + piece } };
  return [next, open.late ? [] : [{ kind: "delta", item: open.item, channel: open.channel, text: piece }]];
}

/** Completes the open text, because something else begins. */
export function closeText(state: State): Step<State> {
  if (!state.text) return [state, []];
  const { text: open, ...rest } = state;
  const { item, channel, text: whole, parent, late } = open;
  if (late) return [rest, whole.trim() ? [notice("late_text", "info", whole.trim())] : []];
  const data = compact({ item, text: whole, parent });
  return [rest, [channel === "text" ? event("message.done", data) : event("reasoning.done", data)]];
}

/** The subagent's tool call that the update belongs to. */
export function parentOf(update: Fields): string | undefined {
  const meta = fields(update._meta);
  const parent = nonBlank(fields(meta.claudeCode).parentToolUseId) ?? nonBlank(meta.parentToolCallId);
  return parent ? itemId(parent) : undefined;
}

/** Some agents report usage per request on an empty chunk. */
function countTokens(state: State, update: Fields): State {
  const usage = readUsage(fields(update._meta).usage);
  if (!usage || !state.turn) return state;
  return { ...state, turn: { ...state.turn, usage: addUsage(state.turn.usage ?? noUsage, usage) } };
}

function asideOf(dialect: Dialect, update: Fields, piece: string): Aside | undefined {
  const named = update.messageId !== undefined;
  return dialect.asides?.find(({ pattern, unnamed }) => pattern.test(piece) && !(unnamed && named));
}

/** Handles text from the agent itself rather than the model. */
function handleAside(dialect: Dialect, state: State, aside: Aside, piece: string): Step<State> {
  const detail = piece.trim();
  switch (aside.as) {
    case "mode":
      return handleMode(dialect, state, aside.pattern.exec(piece)?.[1] ?? "");
    case "retry":
      return runSteps(state, ensureTurn, (current) => [current, [{ kind: "retry", reason: detail } satisfies Output]]);
    case "compacting":
      return runSteps(state, ensureTurn, (current) => [
        compact({ ...current, turn: current.turn && { ...current.turn, compacting: true } }),
        [{ kind: "activity", state: "compacting", detail } satisfies Output],
      ]);
    case "compacted":
      return [markCompactionOver(state), [compactedEvent(aside.pattern.exec(piece)?.groups ?? {})]];
    case "uncompacted":
      return [markCompactionOver(state), [{ kind: "activity", state: "compacting", detail }]];
    case "notice":
      return [state, [notice("agent", /^(warning|error)/i.test(detail) ? "warning" : "info", detail)]];
  }
}

function markCompactionOver(state: State): State {
  return state.turn ? { ...state, turn: { ...state.turn, compactionOver: true } } : state;
}

function compactedEvent({ before, after }: Record<string, string | undefined>): Output {
  const tokens = (count: string | undefined) => (count ? Number(count.replaceAll(",", "")) : undefined);
  return event("context.compacted", compact({ before: tokens(before), after: tokens(after) }));
}
