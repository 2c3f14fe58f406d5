import { itemId, type Output, type Step } from "../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  firstLine,
  isEmpty,
  isFields,
  ownValue,
  taskId,
  withoutKey,
} from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";
import type { State, Tool } from "../state.ts";
import { contentText } from "../wire/content.ts";
import { type RawOutput, readPrinted, readRawOutput } from "../wire/raw-output.ts";
import { terminalsResult } from "./terminals.ts";
import { subagentEnd } from "./tool-meaning.ts";

type ToolStatus = "ok" | "error" | "denied" | "interrupted";

/**
 * The last ended calls of a turn are remembered, so that a late update does not reopen one. Each end copies the list, so
 * it is cut only when it has twice this length.
 */
const MAX_ENDED = 32;

/** Handles the end of a call. */
export function endTool(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  const tool = ownValue(state.tools, native);
  if (!tool) return [state, []];
  const returned = readResult(dialect, tool, update);
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
      structured: structuredOutput(update.rawOutput),
      exitCode,
      durationMs: returned.durationMs,
      changes: status === "ok" ? tool.changes : undefined,
    }),
  );
  const left = status === "ok" ? taskLeftRunning(dialect, native, tool, output) : [];
  const subagents = tool.subagent ? [subagentEnd(native, status, output)] : [];
  return [removeTool(state, native, tool), [...left, ended, ...subagents]];
}

const LINE = 200;
/** The agent's own text about the command is at the beginning of the output. */
const HEAD = 2000;

/** The command of the call runs in the background, and the agent does not report its end. */
function taskLeftRunning({ background }: Dialect, native: string, tool: Tool, output: string | undefined): Output[] {
  const head = output?.slice(0, HEAD) ?? "";
  const found = tool.kind === "execute" && background ? background.exec(head)?.groups : undefined;
  const pid = Number(found?.pid);
  if (!found || !(pid > 0)) return [];
  const { command = "Command" } = tool;
  const task = { task: taskId(found.task ?? native), kind: "command" as const, title: firstLine(command, LINE), pid };
  return [event("task.started", compact({ ...task, command: tool.command, item: itemId(native) }))];
}

function readResult(dialect: Dialect, tool: Tool, update: Fields): RawOutput {
  const returned = readRawOutput(update.rawOutput);
  if (tool.kind !== "execute" || !dialect.printed) return returned;
  return { ...returned, ...readPrinted(dialect.printed, contentText(update.content) ?? returned.text) };
}

/** Ends a denied call that the agent never ended. */
export function endDeniedTool(state: State, native: string): Step<State> {
  const tool = ownValue(state.tools, native);
  if (!tool) return [state, []];
  return [removeTool(state, native, tool), [event("tool.ended", { item: itemId(native), status: "denied" })]];
}

function removeTool(state: State, native: string, tool: Tool): State {
  const terminals = (tool.terminals ?? []).reduce(withoutKey, state.terminals);
  const ended = [...state.ended, native];
  return {
    ...state,
    terminals,
    tools: withoutKey(state.tools, native),
    ended: ended.length < 2 * MAX_ENDED ? ended : ended.slice(-MAX_ENDED),
  };
}

/** Agents report a failed command as completed and an interrupted one as failed. */
function statusOf(state: State, tool: Tool, update: Fields, exitCode: number | undefined): ToolStatus {
  if (tool.denied && update.status !== "completed") return state.turn?.cancelled ? "interrupted" : "denied";
  if (state.turn?.cancelled || update.status === "cancelled") return "interrupted";
  if (update.status === "failed" && fields(update.rawOutput).code === "denied") return "denied";
  return update.status === "failed" || (exitCode ?? 0) !== 0 ? "error" : "ok";
}

function outputOf(tool: Tool, returned: RawOutput, terminal: string | undefined, update: Fields): string | undefined {
  const content = contentText(update.content);
  if (tool.kind === "execute") return terminal ?? returned.text ?? content;
  return (returned.text || content) ?? returned.text ?? terminal;
}

const MAX_STRUCTURE = 4000;

/** Structured output, if small. Changes and printed output are published separately. */
function structuredOutput(rawOutput: unknown): unknown {
  if (!isFields(rawOutput)) return undefined;
  const { metadata, details, contents, truncated, outputFiles } = rawOutput;
  // The files with the full output of a truncated result.
  const files = truncated === true ? outputFiles : undefined;
  // OpenCode repeats the command's output in the metadata.
  const more = metadata === undefined ? {} : withoutKey(fields(metadata), "output");
  const structure = compact({ metadata: isEmpty(more) ? undefined : more, details, contents, outputFiles: files });
  return isEmpty(structure) || JSON.stringify(structure).length > MAX_STRUCTURE ? undefined : structure;
}
