import { type FileChange, type ToolKind, toolKinds } from "@gantry/protocol";
import { itemId, type Output, type Step } from "../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  fingerprint,
  firstLine,
  isEmpty,
  list,
  nonBlank,
  number,
  own,
  put,
  text,
} from "../../fields.ts";
import { wantedChanges } from "../../json-lines/reading/changes.ts";
import { mcpTool } from "../../kit/mcp-tool.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";
import { runSteps, type State, type Tool } from "../state.ts";
import { begun } from "../turns/begin.ts";
import { changesIn, withoutLongDiffs } from "../wire/changes.ts";
import { contentText, terminalsIn } from "../wire/content.ts";
import { readRawOutput } from "../wire/raw-output.ts";
import { modeChanged } from "./options.ts";
import { terminalMeta, terminalTold } from "./terminals.ts";
import { closeText, parentOf } from "./texts.ts";
import { toolEnded } from "./tool-end.ts";
import { inputMeaning } from "./tool-meaning.ts";

/**
 * A tool call is told: for the first time or again, by whichever name. Version 2 has only updates, and some agents of
 * version 1 never announce a call before they ask about it or end it.
 */
export function toolTold(dialect: Dialect, state: State, told: Fields): Step<State> {
  const update = dialect.call?.(told, state.tools) ?? told;
  const native = text(update.toolCallId);
  if (native === undefined || state.replaying || state.ended.includes(native)) return [state, []];
  return runSteps(
    state,
    (current) => (Object.hasOwn(current.tools, native) ? [current, []] : started(dialect, current, native, update)),
    (current) => followed(dialect, current, native, update),
    (current) => {
      const news = terminalMeta(fields(update._meta));
      return news ? terminalTold(current, news) : [current, []];
    },
    (current) => (isOver(update.status) ? over(dialect, current, native, update) : [current, []]),
  );
}

/** The end of a call, which may be the end of planning: then the agent asks before it acts. */
function over(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  const leaves = own(state.tools, native)?.leaves && update.status === "completed";
  return runSteps(
    state,
    (current) => toolEnded(dialect, current, native, update),
    (current) => (leaves ? modeChanged(dialect, current, dialect.rungs.ask?.mode ?? "") : [current, []]),
  );
}

function isOver(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function started(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  return runSteps(state, begun, closeText, (current) => {
    const kind = kindOf(update.kind);
    const name = nameOf(dialect, update, native, kind);
    const { title = firstLine(name), ...rest } = partsOf(update);
    const tool: Tool = { name, kind, told: printsOf(partsOf(update)) };
    const mcp = mcpTool(name, current.serverNames) ?? mcpTool(title, current.serverNames);
    const data = compact({ item: itemId(native), name, kind, title, ...rest, parent: parentOf(update), mcp });
    const turn = current.turn && { ...current.turn, said: true };
    const next: State = compact({ ...current, turn, tools: put(current.tools, native, tool) });
    return [next, [event("tool.started", data)]];
  });
}

/** Version 2: one more block of a call's content. What it shows is remembered; its text is live output. */
export function contentAdded(state: State, update: Fields): Step<State> {
  const native = text(update.toolCallId) ?? "";
  const tool = own(state.tools, native);
  if (!tool || state.replaying) return [state, []];
  const content = [update.content];
  const changes = [...(tool.changes ?? []), ...changesIn(content)];
  const terminals = [...(tool.terminals ?? []), ...terminalsIn(content)];
  const piece = tool.kind === "execute" ? (contentText(content) ?? "") : "";
  const kept: Tool = compact({
    ...tool,
    changes: changes.length > 0 ? withoutLongDiffs(changes) : undefined,
    terminals: terminals.length > 0 ? terminals : undefined,
  });
  const told: Output[] = piece ? [{ kind: "delta", item: itemId(native), channel: "output", text: piece }] : [];
  return [{ ...state, tools: put(state.tools, native, kept) }, told];
}

/** What an update adds to a call that is open: title, input and places where they are new, and live output. */
function followed(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  const tool = own(state.tools, native);
  if (!tool) return [state, []];
  const parts = partsOf(update);
  const prints = printsOf(parts);
  const fresh = Object.entries(parts).filter(([part]) => own(prints, part) !== own(tool.told, part));
  const patch = Object.fromEntries(fresh) as Parts;
  const told: Output[] = fresh.length > 0 ? [event("tool.updated", { item: itemId(native), patch })] : [];
  const [live, pieces] = streamed(dialect, tool, native, update);
  const meaning = parts.input && !tool.subagent ? inputMeaning(dialect, native, tool.name, fields(parts.input)) : [];
  const news = patch.input || announced(update) ? meaning : [];
  const kept: Tool = compact({
    ...remembered(dialect, tool, update),
    ...live,
    told: { ...tool.told, ...prints },
    subagent: tool.subagent ?? (news.length > 0 && tool.name === dialect.subagentTool ? true : undefined),
  });
  return [{ ...state, tools: put(state.tools, native, kept) }, [...told, ...pieces, ...news]];
}

/**
 * A request for permission names the call that it is about, which some agents have not announced. What it says of a
 * known call is about the question; of that only what an answer or the end needs is kept, and what the call was not
 * announced with.
 */
export function toolAsked(dialect: Dialect, state: State, call: Fields): Step<State> {
  const native = text(call.toolCallId);
  if (native === undefined || state.ended.includes(native)) return [state, []];
  return runSteps(
    state,
    (current) => (Object.hasOwn(current.tools, native) ? [current, []] : started(dialect, current, native, call)),
    (current) => {
      const tool = own(current.tools, native);
      if (!tool) return [current, []];
      const parts = partsOf(call);
      const late = tool.told.input === undefined && parts.input !== undefined;
      const kept = { ...remembered(dialect, tool, call), told: { ...tool.told, ...(late ? printsOf(parts) : {}) } };
      const told: Output[] = late ? [event("tool.updated", { item: itemId(native), patch: parts })] : [];
      return [{ ...current, tools: put(current.tools, native, kept) }, told];
    },
  );
}

function remembered(dialect: Dialect, tool: Tool, update: Fields): Tool {
  const input = written(dialect, update);
  const changes = changesIn(update.content);
  const wanted = tool.kind === "edit" && !tool.changes ? (wantedChanges(input) ?? []) : [];
  if (changes.length === 0) changes.push(...wanted);
  const terminals = terminalsIn(update.content);
  return compact({
    ...tool,
    command: commandOf(dialect, tool.kind, update) ?? tool.command,
    input: isEmpty(input) || JSON.stringify(input).length > LONGEST_COMMAND ? tool.input : input,
    changes: changes.length > 0 ? withoutLongDiffs(changes) : tool.changes,
    terminals: terminals.length > 0 ? terminals : tool.terminals,
  });
}

function announced(update: Fields): boolean {
  return update.sessionUpdate === "tool_call";
}

/** Content is told whole each time: what it has grown by is new. */
function streamed(dialect: Dialect, tool: Tool, native: string, update: Fields): [Partial<Tool>, Output[]] {
  // What a call is announced with is not its output.
  if (isOver(update.status) || announced(update) || update.content === undefined) return [{}, []];
  const item = itemId(native);
  const whole = readRawOutput(update.rawOutput).text ?? contentText(update.content) ?? "";
  if (dialect.inputInContent) {
    const written = tool.written ?? 0;
    const piece = whole.slice(written);
    if (piece === "" || !/^\s*\{/.test(whole)) return [{}, []];
    return [{ written: whole.length }, [{ kind: "delta", item, channel: "input", text: piece }]];
  }
  // A terminal that the call shows tells its output itself.
  const elsewhere = tool.terminals !== undefined || terminalsIn(update.content).length > 0;
  if (tool.kind !== "execute" || whole === "" || elsewhere) return [{}, []];
  const before = tool.live ?? { length: 0, print: fingerprint("") };
  const grows = whole.length > before.length && fingerprint(whole.slice(0, before.length)) === before.print;
  if (!grows) return [{}, []];
  const live = { length: whole.length, print: fingerprint(whole) };
  return [{ live }, [{ kind: "delta", item, channel: "output", text: whole.slice(before.length) }]];
}

function kindOf(kind: unknown): ToolKind {
  return toolKinds.find((known) => known === kind) ?? "other";
}

/** The tool's name, from whichever field holds it. */
export function nameOf(dialect: Dialect, update: Fields, native: string, kind: ToolKind): string {
  const meta = fields(update._meta);
  const told = nonBlank(update.name) ?? nonBlank(meta.toolName) ?? nonBlank(fields(meta.claudeCode).toolName);
  if (told) return told;
  const rule = dialect.toolName;
  const source = rule?.in === "id" ? native : rule?.in === "title" ? (text(update.title) ?? "") : "";
  return rule?.pattern.exec(source)?.[1] ?? kind;
}

function inputOf(update: Fields): unknown {
  const { rawInput } = update;
  if (rawInput === undefined || rawInput === null) return undefined;
  return typeof rawInput === "object" && isEmpty(rawInput) ? undefined : rawInput;
}

export function locationsOf(update: Fields): { path: string; line?: number }[] | undefined {
  const found = list(update.locations)
    .map(fields)
    .flatMap(({ path, line }) => (nonBlank(path) ? [compact({ path: String(path), line: lineOf(line) })] : []));
  return found.length > 0 ? found : undefined;
}

function lineOf(line: unknown): number | undefined {
  const found = number(line);
  return found !== undefined && Number.isSafeInteger(found) ? found : undefined;
}

type Parts = { title?: string; input?: unknown; locations?: { path: string; line?: number }[] };

/** What an update says of a call's title, input and places. */
function partsOf(update: Fields): Parts {
  const title = nonBlank(update.title);
  return compact({ title: title && firstLine(title), input: inputOf(update), locations: locationsOf(update) });
}

function printsOf(parts: Parts): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, fingerprint(JSON.stringify(value))]));
}

const LONGEST_COMMAND = 4000;

/** The command of a call that executes one. */
export function commandOf(dialect: Dialect, kind: ToolKind, update: Fields): string | undefined {
  if (kind !== "execute") return undefined;
  const { command } = { ...written(dialect, update), ...fields(update.rawInput) };
  const told = Array.isArray(command)
    ? command.filter((part) => typeof part === "string").join(" ")
    : nonBlank(command);
  return (told ?? (dialect.commandInTitle ? nonBlank(update.title) : undefined))?.slice(0, LONGEST_COMMAND);
}

/** The input in the content, once it is whole. */
function written(dialect: Dialect, update: Fields): Fields {
  const whole = dialect.inputInContent ? contentText(update.content) : undefined;
  if (!whole?.endsWith("}")) return {};
  try {
    return fields(JSON.parse(whole));
  } catch {
    return {};
  }
}

/** The changes that a call is known to make, from this update or an earlier one. */
export function changesOf(state: State, native: string, update: Fields): FileChange[] {
  const fresh = changesIn(update.content);
  return fresh.length > 0 ? fresh : (own(state.tools, native)?.changes ?? []);
}
