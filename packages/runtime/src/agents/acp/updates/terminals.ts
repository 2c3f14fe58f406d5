import type { Output, Step } from "../../contract.ts";
import { itemId } from "../../contract.ts";
import { compact, type Fields, fields, newestEntries, ownValue, put, text, wholeNumber } from "../../fields.ts";
import type { State, Terminal } from "../state.ts";

/** Size limit of the stored output of a terminal. */
const MAX_OUTPUT = 32_000;
/** Older terminals are forgotten. */
const MAX_TERMINALS = 200;

/**
 * A terminal update: all output so far or a chunk, and the exit code. Version 2 sends dedicated updates, version 1 uses
 * `_meta` of a tool call update.
 */
export type TerminalUpdate = { id: string; whole?: string; more?: string; exitCode?: number };

export function readTerminal(update: Fields): TerminalUpdate | undefined {
  const id = text(update.terminalId);
  if (id === undefined) return undefined;
  const whole = decodeBase64(fields(update.output).data);
  const more = decodeBase64(update.data ?? fields(update.chunk).data);
  return compact({ id, whole, more, exitCode: wholeNumber(fields(update.exitStatus).exitCode) });
}

export function readTerminalMeta(meta: Fields): TerminalUpdate | undefined {
  const [delta, whole, exit] = [
    fields(meta.terminal_output_delta),
    fields(meta.terminal_output),
    fields(meta.terminal_exit),
  ];
  const id = text(delta.terminal_id) ?? text(whole.terminal_id) ?? text(exit.terminal_id);
  if (id === undefined) return undefined;
  return compact({ id, whole: text(whole.data), more: text(delta.data), exitCode: wholeNumber(exit.exit_code) });
}

/** Stores the update and publishes new output to the tool calls that show the terminal. */
export function handleTerminal(state: State, news: TerminalUpdate): Step<State> {
  const before = ownValue(state.terminals, news.id) ?? { output: "" };
  const fresh = news.whole?.startsWith(before.output) ? news.whole.slice(before.output.length) : (news.whole ?? "");
  const piece = fresh + (news.more ?? "");
  const all = news.whole !== undefined && !news.whole.startsWith(before.output) ? piece : before.output + piece;
  const terminal: Terminal = compact({ output: all.slice(-MAX_OUTPUT), exitCode: news.exitCode ?? before.exitCode });
  const terminals = newestEntries(put(state.terminals, news.id, terminal), MAX_TERMINALS);
  const next = { ...state, terminals };
  return [next, piece ? toolsShowing(state, news.id).map((tool) => outputDelta(tool, piece)) : []];
}

function toolsShowing(state: State, terminal: string): string[] {
  return Object.entries(state.tools)
    .filter(([, tool]) => tool.terminals?.includes(terminal))
    .map(([native]) => native);
}

function outputDelta(native: string, piece: string): Output {
  return { kind: "delta", item: itemId(native), channel: "output", text: piece };
}

/** The combined output of a tool call's terminals. */
export function terminalsResult(state: State, ids: readonly string[]): Partial<Terminal> {
  const shown = ids.map((id) => ownValue(state.terminals, id)).filter((terminal) => terminal !== undefined);
  if (shown.length === 0) return {};
  const exitCode = shown.map((terminal) => terminal.exitCode).find((code) => code !== undefined);
  return compact({ output: shown.map(({ output }) => output).join("\n"), exitCode });
}

function decodeBase64(data: unknown): string | undefined {
  return typeof data === "string" ? Buffer.from(data, "base64").toString("utf8") : undefined;
}
