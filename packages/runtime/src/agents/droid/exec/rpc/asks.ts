import type { FileChange, InputOption } from "@gantry/protocol";
import {
  compact,
  type Fields,
  fields,
  list,
  newestEntries,
  nonBlank,
  ownValue,
  text,
  texts,
  withoutKey,
} from "../../../fields.ts";
import { toolItem } from "../../../json-lines/calls.ts";
import type { Pass } from "../../../json-lines/pass.ts";
import { plannedChanges } from "../../../json-lines/reading/changes.ts";
import { commandOf, describeTool } from "../../../json-lines/reading/tools.ts";
import { response } from "./encode.ts";
import type { DroidAsk, RpcState } from "./state.ts";
import { asAddition } from "./tools.ts";

/** Handles a request from Droid. Every request gets a response eventually. */
export function handleRequest(pass: Pass<RpcState>, line: Fields, frame: unknown): void {
  const id = text(line.id) ?? "";
  const params = fields(line.params);
  if (line.method === "droid.request_permission") return permission(pass, id, params);
  if (line.method === "droid.ask_user") return questions(pass, id, params);
  pass.raw(frame, "unknown request");
  const message = `The host does not support ${text(line.method) ?? "this request"}.`;
  pass.emit({ kind: "send", frame: response(id, { error: { code: -32601, message } }) });
}

/** One tool call that awaits approval. */
type Use = { id?: string; name: string; input: Fields; details: Fields; kind: string; title: string };

/** Calls of one model response are requested together and share one answer. */
function permission(pass: Pass<RpcState>, id: string, params: Fields): void {
  const uses = list(params.toolUses).map((entry) => useOf(fields(entry)));
  const options = list(params.options).map((entry) => optionOf(fields(entry)));
  const tools = uses.flatMap((use) => use.id ?? []);
  remember(pass, id, { tools, options });
  const item = itemOf(pass, tools[0]);
  const plan = uses.find(({ details }) => details.type === "exit_spec_mode");
  if (plan) {
    const request = {
      kind: "plan" as const,
      title: "A plan is ready",
      detail: nonBlank(plan.details.plan),
      item,
      options,
    };
    return pass.emit({ kind: "ask", key: id, request: compact(request) });
  }
  const changes = uses.flatMap((use) => wantedBy(use) ?? []);
  const request = compact({
    kind: "approval" as const,
    title: titleOf(uses),
    detail: nonBlank(uses.flatMap(({ details }) => nonBlank(details.riskLevelReason) ?? []).join("\n")),
    item,
    tool: toolOf(uses),
    diff: changes.length > 0 ? changes : undefined,
    options,
  });
  pass.emit({ kind: "ask", key: id, request });
}

function useOf(entry: Fields): Use {
  const use = fields(entry.toolUse);
  const name = nonBlank(use.name) ?? "tool";
  const input = fields(use.input);
  const { kind, title } = describeTool(name, input);
  return compact({ id: nonBlank(use.id), name, input, details: fields(entry.details), kind, title });
}

/** Droid includes the current file in the request for an edit. */
function wantedBy({ kind, input, details }: Use): FileChange[] | undefined {
  if (kind !== "edit") return undefined;
  const changes = plannedChanges(input);
  return details.type === "create" ? changes?.map(asAddition) : changes;
}

function titleOf(uses: Use[]): string {
  const [first] = uses;
  const more = uses.length > 1 ? ` and ${uses.length - 1} more` : "";
  return `${first?.title ?? "Run a tool"}${more}`;
}

/**
 * Several calls are combined into one with all their names and commands, so that a grant for one does not cover all.
 */
function toolOf(uses: Use[]) {
  const [first] = uses;
  const commands = uses.flatMap(({ input }) => commandOf(input) ?? []);
  return compact({
    name: [...new Set(uses.map(({ name }) => name))].join(", ") || "tool",
    kind: first?.kind ?? "other",
    input: uses.length > 1 ? uses.map(({ input }) => input) : (first?.input ?? {}),
    command: commands.length > 0 ? commands.join("\n") : undefined,
  });
}

function optionOf(entry: Fields): InputOption {
  const id = text(entry.value) ?? "";
  const effect = id === "proceed_once" ? "allow_once" : id.startsWith("proceed") ? "allow_always" : "deny";
  return { id, label: text(entry.label) ?? id, effect };
}

function questions(pass: Pass<RpcState>, id: string, params: Fields): void {
  const rows = list(params.questions).map(fields);
  const tool = nonBlank(params.toolCallId);
  const questions = rows.map((row) => text(row.question) ?? "");
  remember(pass, id, { tools: tool ? [tool] : [], options: [], questions: questions });
  const request = compact({
    kind: "question" as const,
    title: questions[0] || "Droid has a question",
    item: itemOf(pass, tool),
    questions: rows.map((row, index) =>
      compact({
        id: String(index + 1),
        header: nonBlank(row.topic),
        text: text(row.question) ?? "",
        options: texts(row.options).map((label) => ({ label })),
        multi: row.multiSelect === true,
        freeform: true,
        secret: false,
      }),
    ),
  });
  pass.emit({ kind: "ask", key: id, request });
}

function remember({ state }: Pass<RpcState>, id: string, ask: DroidAsk): void {
  state.asks = newestEntries({ ...state.asks, [id]: compact(ask) }, 20);
}

function itemOf(pass: Pass<RpcState>, tool: string | undefined): string | undefined {
  return tool && ownValue(pass.state.tools, tool) ? toolItem(pass, tool) : undefined;
}

/** Droid reports a request as settled, by our answer or an interrupt. */
export function settleRequest(pass: Pass<RpcState>, id: string): void {
  if (!ownValue(pass.state.asks, id)) return;
  pass.state.asks = withoutKey(pass.state.asks, id);
  pass.emit({ kind: "withdrawn", key: id, reason: "the agent withdrew it" });
}
