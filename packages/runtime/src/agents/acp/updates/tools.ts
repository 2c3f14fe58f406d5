import { type FileChange, type ToolKind, toolKinds } from "@gantry/protocol";
import { itemId, MAX_OPEN_CALLS, type Output, type Step } from "../../contract.ts";
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
  ownValue,
  put,
  text,
} from "../../fields.ts";
import { plannedChanges } from "../../json-lines/reading/changes.ts";
import { mcpTool } from "../../kit/mcp-tool.ts";
import { runSteps, StepChain } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { event } from "../outputs.ts";
import { nativeMode } from "../rungs.ts";
import { isUsableId, type State, type Tool } from "../state.ts";
import { ensureTurn, markOutput } from "../turns/begin.ts";
import { changesIn, changesInInput, withoutLongDiffs } from "../wire/changes.ts";
import { contentText, terminalsIn } from "../wire/content.ts";
import { readRawOutput } from "../wire/raw-output.ts";
import { handleMode } from "./options.ts";
import { handleTerminal, readTerminalMeta } from "./terminals.ts";
import { closeText, parentOf } from "./texts.ts";
import { endTool } from "./tool-end.ts";
import { eventsOfInput } from "./tool-meaning.ts";

/**
 * Handles a tool call, new or known. Version 2 sends only updates, and some version 1 agents do not announce a call
 * before they request permission or end it.
 */
export function handleTool(dialect: Dialect, state: State, received: Fields): Step<State> | undefined {
  const update = dialect.call?.(received, state.tools) ?? received;
  const native = nonBlank(update.toolCallId);
  if (!isUsableId(native)) return undefined;
  if (state.replaying) return [state, []];
  const known = ownValue(state.tools, native);
  if (!known && isLate(state, native, isAnnouncement(update))) return [state, []];
  if (!known && isFull(state)) return undefined;
  const details = readDetails(update);
  const tool = known ?? newTool(dialect, native, update, details);
  const terminal = update._meta === undefined ? undefined : readTerminalMeta(fields(update._meta));
  const chain = new StepChain(state);
  if (!known) chain.add(announceTool(chain.state, native, update, tool, details));
  chain.add(updateTool(dialect, chain.state, native, update, tool, details));
  if (terminal) chain.add(handleTerminal(chain.state, terminal));
  if (isFinalStatus(update.status)) chain.add(handleToolEnd(dialect, chain.state, native, update));
  return chain.end();
}

/**
 * Whether a call has ended before. Agents may use an id again in another turn: after a prompt, an announcement starts a
 * call of the turn that is about to begin.
 */
function isLate({ ended, turn, prompts }: State, native: string, isNew: boolean): boolean {
  const beginsTurn = turn === undefined && prompts.length > 0;
  return !(isNew && beginsTurn) && includesId(ended, native);
}

/**
 * Ids differ at their end, where numbers are. Comparing whole strings that were object keys is a slow call into V8 for
 * each.
 */
function includesId(ids: readonly string[], wanted: string): boolean {
  const end = wanted.length - 1;
  const last = wanted.charCodeAt(end);
  for (const id of ids) if (id.length === end + 1 && id.charCodeAt(end) === last && id === wanted) return true;
  return false;
}

function isFull({ tools }: State): boolean {
  return Object.keys(tools).length >= MAX_OPEN_CALLS;
}

/** Ends a call. An approved plan switches the mode to ask. */
function handleToolEnd(dialect: Dialect, state: State, native: string, update: Fields): Step<State> {
  const leaves = ownValue(state.tools, native)?.leaves && update.status === "completed";
  if (!leaves) return endTool(dialect, state, native, update);
  return runSteps(
    state,
    (current) => endTool(dialect, current, native, update),
    (current) => handleMode(dialect, current, nativeMode(dialect, current, "ask") ?? ""),
  );
}

function isFinalStatus(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function newTool(dialect: Dialect, native: string, update: Fields, { prints }: Details): Tool {
  const kind = kindOf(update.kind);
  return { name: nameOf(dialect, update, native, kind), kind, published: prints };
}

/** Publishes the start of a call. The caller stores the tool. */
function announceTool(
  state: State,
  native: string,
  update: Fields,
  { name, kind }: Tool,
  { parts }: Details,
): Step<State> {
  const chain = new StepChain(state);
  chain.add(ensureTurn(chain.state));
  chain.add(closeText(chain.state));
  const { title = firstLine(name), input, locations } = parts;
  const mcp = mcpTool(name, state.serverNames) ?? mcpTool(title, state.serverNames);
  const parent = parentOf(update);
  const data = compact({ item: itemId(native), name, kind, title, input, locations, parent, mcp });
  chain.add([markOutput(chain.state), [event("tool.started", data)]]);
  return chain.end();
}

/** Version 2: appends a content block. Changes and terminals are stored; text is live output. */
export function handleContent(state: State, update: Fields): Step<State> {
  const native = text(update.toolCallId) ?? "";
  const tool = ownValue(state.tools, native);
  if (!tool || state.replaying) return [state, []];
  const content = [update.content];
  const changes = [...(tool.changes ?? []), ...changesIn(content)];
  const terminals = [...(tool.terminals ?? []), ...terminalsIn(content)];
  const piece = tool.kind === "execute" ? (contentText(content) ?? "") : "";
  const next: Tool = compact({
    ...tool,
    changes: changes.length > 0 ? withoutLongDiffs(changes) : undefined,
    terminals: terminals.length > 0 ? terminals : undefined,
  });
  const outputs: Output[] = piece ? [{ kind: "delta", item: itemId(native), channel: "output", text: piece }] : [];
  return [{ ...state, tools: put(state.tools, native, next) }, outputs];
}

/** Handles an update of an open call: new title, input, locations and live output. Stores the tool if it changed. */
function updateTool(
  dialect: Dialect,
  state: State,
  native: string,
  update: Fields,
  tool: Tool,
  { parts, prints }: Details,
): Step<State> {
  const patch = changedParts(parts, prints, tool.published);
  const patches: Output[] = isEmpty(patch) ? [] : [event("tool.updated", { item: itemId(native), patch })];
  const [live, pieces] = streamContent(dialect, tool, native, update);
  const meaning = parts.input && !tool.subagent ? eventsOfInput(dialect, native, tool.name, fields(parts.input)) : [];
  const news = patch.input || isAnnouncement(update) ? meaning : [];
  const changed: Partial<Tool> = compact({
    ...readRemembered(dialect, tool, update),
    ...live,
    published: isEmpty(patch) ? undefined : { ...tool.published, ...prints },
    subagent: news.length > 0 && tool.name === dialect.subagentTool ? true : undefined,
  });
  const outputs = patches.length + pieces.length + news.length === 0 ? [] : [...patches, ...pieces, ...news];
  return [storeTool(state, native, isEmpty(changed) ? tool : { ...tool, ...changed }), outputs];
}

/** The same state if it holds this very tool. */
function storeTool(state: State, native: string, tool: Tool): State {
  return ownValue(state.tools, native) === tool ? state : { ...state, tools: put(state.tools, native, tool) };
}

/**
 * Handles the call of a permission request, which some agents have not announced. For a known call only data needed for
 * the answer or the end is stored, plus an input that was missing.
 */
export function handlePermissionCall(dialect: Dialect, state: State, call: Fields): Step<State> {
  const native = nonBlank(call.toolCallId);
  if (!isUsableId(native) || isLate(state, native, true)) return [state, []];
  if (!ownValue(state.tools, native) && isFull(state)) return [state, []];
  const details = readDetails(call);
  const { parts, prints } = details;
  const known = ownValue(state.tools, native);
  const tool = known ?? newTool(dialect, native, call, details);
  return runSteps(
    state,
    (current) => (known ? [current, []] : announceTool(current, native, call, tool, details)),
    (current) => {
      const late = tool.published.input === undefined && parts.input !== undefined;
      const published = { ...tool.published, ...(late ? prints : {}) };
      const next: Tool = { ...tool, ...readRemembered(dialect, tool, call), published };
      const outputs: Output[] = late ? [event("tool.updated", { item: itemId(native), patch: parts })] : [];
      return [storeTool(current, native, next), outputs];
    },
  );
}

/** What an update adds to the data that is needed for a permission request or for the end of the call. */
function readRemembered(dialect: Dialect, tool: Tool, update: Fields): Partial<Tool> {
  const input = inputInContent(dialect, update);
  const changes = changesIn(update.content);
  if (changes.length === 0 && tool.kind === "edit" && !tool.changes) changes.push(...(plannedChanges(input) ?? []));
  const terminals = terminalsIn(update.content);
  return compact({
    command: commandOf(dialect, tool.kind, update),
    input: isEmpty(input) || JSON.stringify(input).length > LONGEST_COMMAND ? undefined : input,
    changes: changes.length > 0 ? withoutLongDiffs(changes) : undefined,
    terminals: terminals.length > 0 ? terminals : undefined,
  });
}

function isAnnouncement(update: Fields): boolean {
  return update.sessionUpdate === "tool_call";
}

/** Agents resend the whole content; only the growth is new. */
function streamContent(dialect: Dialect, tool: Tool, native: string, update: Fields): [Partial<Tool>, Output[]] {
  // The content of the announcement is not output.
  if (isFinalStatus(update.status) || isAnnouncement(update) || update.content === undefined) return [{}, []];
  const item = itemId(native);
  const whole = readRawOutput(update.rawOutput).text ?? contentText(update.content) ?? "";
  if (dialect.inputInContent) {
    const streamedInput = tool.written ?? 0;
    const piece = whole.slice(streamedInput);
    if (piece === "" || !/^\s*\{/.test(whole)) return [{}, []];
    return [{ written: whole.length }, [{ kind: "delta", item, channel: "input", text: piece }]];
  }
  // Terminals publish their output themselves.
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
  const name = nonBlank(update.name) ?? nonBlank(meta.toolName) ?? nonBlank(fields(meta.claudeCode).toolName);
  if (name) return name;
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
  if (update.locations === undefined) return undefined;
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

/** The title, input and locations in an update, and their fingerprints. */
type Details = { parts: Parts; prints: Tool["published"] };

function readDetails(update: Fields): Details {
  const named = nonBlank(update.title);
  const title = named && firstLine(named);
  const input = inputOf(update);
  const locations = locationsOf(update);
  const print = (value: unknown) => (value === undefined ? undefined : fingerprint(JSON.stringify(value)));
  const prints = { title: print(title), input: print(input), locations: print(locations) };
  return { parts: compact({ title, input, locations }), prints: compact(prints) };
}

/** The parts that differ from the published ones. */
function changedParts(
  { title, input, locations }: Parts,
  prints: Tool["published"],
  published: Tool["published"],
): Parts {
  return compact({
    title: prints.title === published.title ? undefined : title,
    input: prints.input === published.input ? undefined : input,
    locations: prints.locations === published.locations ? undefined : locations,
  });
}

const LONGEST_COMMAND = 4000;

/** The command of an execute call. */
export function commandOf(dialect: Dialect, kind: ToolKind, update: Fields): string | undefined {
  if (kind !== "execute") return undefined;
  const rawInput = fields(update.rawInput);
  const { command } = Object.hasOwn(rawInput, "command") ? rawInput : inputInContent(dialect, update);
  const joined = Array.isArray(command)
    ? command.filter((part) => typeof part === "string").join(" ")
    : nonBlank(command);
  return (joined ?? (dialect.commandInTitle ? nonBlank(update.title) : undefined))?.slice(0, LONGEST_COMMAND);
}

/** The complete input in the content. */
function inputInContent(dialect: Dialect, update: Fields): Fields {
  const whole = dialect.inputInContent ? contentText(update.content) : undefined;
  if (!whole?.endsWith("}")) return {};
  try {
    return fields(JSON.parse(whole));
  } catch {
    return {};
  }
}

/** The call's changes, from this update or an earlier one. */
export function changesOf(state: State, native: string, update: Fields): FileChange[] {
  const fresh = [...changesIn(update.content), ...changesInInput(update.content, update.rawInput)];
  return fresh.length > 0 ? fresh : (ownValue(state.tools, native)?.changes ?? []);
}
