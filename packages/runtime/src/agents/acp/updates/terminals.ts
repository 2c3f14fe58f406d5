import type { Output, Step } from "../../contract.ts";
import { itemId } from "../../contract.ts";
import { compact, type Fields, fields, own, put, text, wholeNumber } from "../../fields.ts";
import type { State, Terminal } from "../state.ts";

/** No more of a terminal's output is remembered; its tool call ends with this much of it. */
const KEPT = 32_000;

/**
 * News of a terminal: its output so far, or more of it, and how its command ended. Version 2 tells it in updates of
 * their own, version 1 under `_meta` of a tool call's update.
 */
export type TerminalNews = { id: string; whole?: string; more?: string; exitCode?: number };

export function terminalUpdate(update: Fields): TerminalNews | undefined {
  const id = text(update.terminalId);
  if (id === undefined) return undefined;
  const whole = decoded(fields(update.output).data);
  const more = decoded(update.data ?? fields(update.chunk).data);
  return compact({ id, whole, more, exitCode: wholeNumber(fields(update.exitStatus).exitCode) });
}

export function terminalMeta(meta: Fields): TerminalNews | undefined {
  const [delta, whole, exit] = [
    fields(meta.terminal_output_delta),
    fields(meta.terminal_output),
    fields(meta.terminal_exit),
  ];
  const id = text(delta.terminal_id) ?? text(whole.terminal_id) ?? text(exit.terminal_id);
  if (id === undefined) return undefined;
  return compact({ id, whole: text(whole.data), more: text(delta.data), exitCode: wholeNumber(exit.exit_code) });
}

/** Remembers the news, and passes new output on to the tool calls that show the terminal. */
export function terminalTold(state: State, news: TerminalNews): Step<State> {
  const before = own(state.terminals, news.id) ?? { output: "" };
  const fresh = news.whole?.startsWith(before.output) ? news.whole.slice(before.output.length) : (news.whole ?? "");
  const piece = fresh + (news.more ?? "");
  const all = news.whole !== undefined && !news.whole.startsWith(before.output) ? piece : before.output + piece;
  const terminal: Terminal = compact({ output: all.slice(-KEPT), exitCode: news.exitCode ?? before.exitCode });
  const next = { ...state, terminals: put(state.terminals, news.id, terminal) };
  return [next, piece ? showing(state, news.id).map((tool) => outputDelta(tool, piece)) : []];
}

function showing(state: State, terminal: string): string[] {
  return Object.entries(state.tools)
    .filter(([, tool]) => tool.terminals?.includes(terminal))
    .map(([native]) => native);
}

function outputDelta(native: string, piece: string): Output {
  return { kind: "delta", item: itemId(native), channel: "output", text: piece };
}

/** What the terminals of a tool call showed in all. */
export function terminalsResult(state: State, ids: readonly string[]): Partial<Terminal> {
  const shown = ids.map((id) => own(state.terminals, id)).filter((terminal) => terminal !== undefined);
  if (shown.length === 0) return {};
  const exitCode = shown.map((terminal) => terminal.exitCode).find((code) => code !== undefined);
  return compact({ output: shown.map(({ output }) => output).join("\n"), exitCode });
}

function decoded(data: unknown): string | undefined {
  return typeof data === "string" ? Buffer.from(data, "base64").toString("utf8") : undefined;
}
