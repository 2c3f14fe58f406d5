import type { InputOption } from "@gantry/protocol";
import { toolItem } from "../../../json-lines/calls.ts";
import { wantedChanges } from "../../../json-lines/reading/changes.ts";
import {
  compact,
  type Fields,
  fields,
  list,
  newest,
  own,
  text,
  without,
  words,
} from "../../../json-lines/reading/fields.ts";
import { commandOf, describeTool } from "../../../json-lines/reading/tools.ts";
import type { Pass } from "../../../json-lines/talk.ts";
import { response } from "./encode.ts";
import type { RpcState } from "./state.ts";

/** Droid asks the host for something. Whatever it is, it gets an answer sooner or later. */
export function asked(pass: Pass<RpcState>, line: Fields, frame: unknown): void {
  const id = text(line.id) ?? "";
  if (line.method === "droid.request_permission") return permission(pass, id, fields(line.params));
  pass.raw(frame, "unknown request");
  const message = `The host does not know ${text(line.method) ?? "this request"}.`;
  pass.say({ kind: "send", frame: response(id, { error: { code: -32601, message } }) });
}

function permission(pass: Pass<RpcState>, id: string, params: Fields): void {
  const { state } = pass;
  const uses = list(params.toolUses).map(fields);
  const use = fields(uses[0]?.toolUse);
  const name = words(use.name) ?? "tool";
  const input = fields(use.input);
  const options = list(params.options).map((entry) => optionOf(fields(entry)));
  const tool = words(use.id);
  state.asks = newest({ ...state.asks, [id]: compact({ tool, options }) }, 20);
  const { kind, title } = describeTool(name, input);
  const more = uses.length > 1 ? ` and ${uses.length - 1} more` : "";
  const request = compact({
    kind: "approval" as const,
    title: `${title}${more}`,
    detail: words(fields(uses[0]?.details).riskLevelReason),
    item: tool && own(state.tools, tool) ? toolItem(pass, tool) : undefined,
    tool: compact({ name, kind, input, command: commandOf(input) }),
    diff: kind === "edit" ? wantedChanges(input) : undefined,
    options,
  });
  pass.say({ kind: "ask", key: id, request });
}

function optionOf(entry: Fields): InputOption {
  const id = text(entry.value) ?? "";
  const effect = id === "proceed_once" ? "allow_once" : id.startsWith("proceed") ? "allow_session" : "deny";
  return { id, label: text(entry.label) ?? id, effect };
}

/** Droid says that a question is settled, by us or because the turn was stopped. */
export function settled(pass: Pass<RpcState>, id: string): void {
  if (!own(pass.state.asks, id)) return;
  pass.state.asks = without(pass.state.asks, id);
  pass.say({ kind: "withdrawn", key: id, reason: "the agent took the question back" });
}
