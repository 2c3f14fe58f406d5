import type { AgentCommand, Outbound } from "../../../contract.ts";
import { compact } from "../../../json-lines/reading/fields.ts";
import { chosen } from "../../../json-lines/two-way.ts";
import { type RpcState, rungs } from "./state.ts";

const ENVELOPE = { jsonrpc: "2.0", factoryApiVersion: "1.0.0" };

export const OPEN = "open";

export function request(id: string, method: string, params: unknown, repeat: Outbound["repeat"] = "safe"): Outbound {
  return { msg: { ...ENVELOPE, type: "request", id, method, params }, key: id, repeat };
}

export function response(id: string, body: { result: unknown } | { error: unknown }): Outbound {
  return { msg: { ...ENVELOPE, type: "response", id, ...body }, key: id, repeat: "safe" };
}

/** Frames for a command. Droid takes no message into a running turn, and does not compact on request. */
export function encode(state: RpcState, command: AgentCommand): Outbound[] | undefined {
  const id = `${command.type}-${state.written}`;
  switch (command.type) {
    case "prompt":
      return [request(command.message, "droid.add_user_message", { text: withFiles(command) }, "ask")];
    case "interrupt":
      return [request(id, "droid.interrupt_session", {})];
    case "answer":
      return [
        response(command.key, { result: { selectedOption: chosen(command.answer, command.request) ?? "cancel" } }),
      ];
    case "set":
      return set(id, command);
    case "ping":
      return [request(command.key, "droid.get_context_stats", {})];
    default:
      return undefined;
  }
}

function set(id: string, { model, mode, effort }: Extract<AgentCommand, { type: "set" }>): Outbound[] | undefined {
  if (mode === "inherit") return undefined;
  const settings = compact({ modelId: model, reasoningEffort: effort, ...(mode ? rungs[mode] : {}) });
  return [request(id, "droid.update_session_settings", settings)];
}

function withFiles({ text, attachments }: Extract<AgentCommand, { type: "prompt" }>): string {
  const paths = attachments.flatMap(({ path }) => (path ? [`@${path}`] : []));
  return paths.length > 0 ? `${text}\n\n${paths.join("\n")}` : text;
}
