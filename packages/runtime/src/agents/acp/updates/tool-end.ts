import { itemId, type Step } from "../../contract.ts";
import { compact, type Fields, fields, isEmpty, own, without } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";
import type { State, Tool } from "../state.ts";
import { contentText } from "../wire/content.ts";
import { type RawOutput, readPrinted, readRawOutput } from "../wire/raw-output.ts";
import { terminalsResult } from "./terminals.ts";
import { subagentEnd } from "./tool-meaning.ts";

type Status = "ok" | "error" | "denied" | "interrupted";

/** Calls that have ended are remembered for the rest of the turn, so that a late word about one opens it not again. */
const ENDED_KEPT = 200;

/** The call is over, as its last update says. */
export function toolEnded(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  const tool = own(state.tools, native);
  if (!tool) return [state, []];
  const returned = returnedBy(dialect, tool, update);
  const shown = terminalsResult(state, tool.terminals ?? []);
  const exitCode = returned.exitCode ?? shown.exitCode;
  const status = statusOf(state, tool, update, exitCode);
  const output = outputOf(tool, returned, shown.output, update);
  const ended = event(
    "tool.ended",
    compact({
      item: itemId(native),
      status,
      output,
      structured: structured(update.rawOutput),
      exitCode,
      durationMs: returned.durationMs,
      changes: status === "ok" ? tool.changes : undefined,
    }),
  );
  return [forget(state, native, tool), [ended, ...(tool.subagent ? [subagentEnd(native, status, output)] : [])]];
}

function returnedBy(dialect: Dialect, tool: Tool, update: Fields): RawOutput {
  const printed = tool.kind === "execute" ? readPrinted(dialect.printed, contentText(update.content)) : {};
  return { ...readRawOutput(update.rawOutput), ...printed };
}

/** A call that was refused and of which the agent said no more. */
export function toolDenied(state: State, native: string): Step<State> {
  const tool = own(state.tools, native);
  if (!tool) return [state, []];
  return [forget(state, native, tool), [event("tool.ended", { item: itemId(native), status: "denied" })]];
}

function forget(state: State, native: string, tool: Tool): State {
  const terminals = (tool.terminals ?? []).reduce(without, state.terminals);
  return {
    ...state,
    terminals,
    tools: without(state.tools, native),
    ended: [...state.ended, native].slice(-ENDED_KEPT),
  };
}

/** An agent calls a command that failed completed, and one that was stopped failed. */
function statusOf(state: State, tool: Tool, update: Fields, exitCode: number | undefined): Status {
  if (tool.denied && update.status !== "completed") return state.turn?.cancelled ? "interrupted" : "denied";
  if (state.turn?.cancelled || update.status === "cancelled") return "interrupted";
  if (update.status === "failed" && fields(update.rawOutput).code === "denied") return "denied";
  return update.status === "failed" || (exitCode ?? 0) !== 0 ? "error" : "ok";
}

function outputOf(tool: Tool, returned: RawOutput, terminal: string | undefined, update: Fields): string | undefined {
  const said = contentText(update.content);
  if (tool.kind === "execute") return terminal ?? returned.text ?? said;
  return (returned.text || said) ?? returned.text ?? terminal;
}

const LARGEST_STRUCTURE = 4000;

/** What the agent returned beyond words, if it is not large: what it changed and printed is told already. */
function structured(rawOutput: unknown): unknown {
  const { metadata, details, contents, truncated, outputFiles } = fields(rawOutput);
  // Where all of it is, when it was too long to be told.
  const files = truncated === true ? outputFiles : undefined;
  // OpenCode tells what a command printed in two places.
  const more = metadata === undefined ? {} : without(fields(metadata), "output");
  const told = compact({ metadata: isEmpty(more) ? undefined : more, details, contents, outputFiles: files });
  return isEmpty(told) || JSON.stringify(told).length > LARGEST_STRUCTURE ? undefined : told;
}
