import type { Attachment, InputAnswer, InputRequest } from "@gantry/protocol";
import type { AgentCommand, Outbound } from "../../../contract.ts";
import { compact, ownValue } from "../../../fields.ts";
import { chosenOption } from "../../../json-lines/two-way.ts";
import { type RpcState, settingsOf } from "./state.ts";

const ENVELOPE = { jsonrpc: "2.0", factoryApiVersion: "1.0.0" };

export function request(id: string, method: string, params: unknown, repeat: Outbound["repeat"] = "safe"): Outbound {
  return { msg: { ...ENVELOPE, type: "request", id, method, params }, key: id, repeat };
}

export function response(id: string, body: { result: unknown } | { error: unknown }): Outbound {
  return { msg: { ...ENVELOPE, type: "response", id, ...body }, key: id, repeat: "safe" };
}

/** The frames of a command. */
export function encode(state: RpcState, command: AgentCommand): Outbound[] | undefined {
  const id = `${command.type}-${state.written}`;
  switch (command.type) {
    case "prompt":
    case "steer":
      return [message(command.message, withFiles(command))];
    case "interrupt":
      return [request(id, "droid.interrupt_session", {})];
    case "answer":
      return answer(state, command.key, command.answer, command.request);
    case "set":
      return set(state, id, command);
    case "ping":
      return [request(command.key, "droid.get_context_stats", {})];
    default:
      // A requested compaction would create a new session; Droid compacts automatically.
      return undefined;
  }
}

/**
 * A message to Droid, which deduplicates by id. In a running turn it is inserted between two model requests, or starts
 * the next turn.
 */
function message(id: string, content: Record<string, unknown>): Outbound {
  return request(id, "droid.add_user_message", { messageId: id, ...content, queuePlacement: "end_of_turn" });
}

/** The prompt: images inline, files by path, other attachments as text. */
function withFiles({ text, attachments }: { text: string; attachments: Attachment[] }): Record<string, unknown> {
  const images = attachments.filter(({ data, mime }) => data && mime?.startsWith("image/"));
  const others = attachments.filter((file) => !images.includes(file));
  const named = others.map(({ path, name, data }) =>
    path ? `@${path}` : `Attached file ${name ?? ""}:\n${Buffer.from(data ?? "", "base64").toString("utf8")}`,
  );
  return compact({
    text: [text, ...(named.length > 0 ? [named.join("\n")] : [])].join("\n\n"),
    images: images.length > 0 ? images.map(({ data, mime }) => ({ type: "base64", mediaType: mime, data })) : undefined,
  });
}

/**
 * Gantry stores session grants, so `allow_session` is sent as a single approval; Droid's own grants are options.
 */
function answer(state: RpcState, key: string, given: InputAnswer, asked: InputRequest): Outbound[] {
  const questions = ownValue(state.asks, key)?.questions;
  if (questions) return [response(key, { result: answers(given, questions) })];
  const decision = given.decision === "allow_session" ? "allow" : given.decision;
  const selectedOption = chosenOption({ ...given, decision }, asked) ?? "cancel";
  const reply = response(key, { result: { selectedOption } });
  const reason = decision === "deny" ? given.message?.trim() : undefined;
  // Droid has no field for a reason and ends its turn on a denial, so the reason is queued first.
  return reason ? [message(`reason-${key}`, { text: reason }), reply] : [reply];
}

function answers({ decision, answers: given = {} }: InputAnswer, questions: string[]): Record<string, unknown> {
  if (decision !== "allow") return { cancelled: true, answers: [] };
  return {
    answers: questions.map((question, index) => {
      const answer = given[String(index + 1)] ?? "";
      return { index: index + 1, question, answer: [answer].flat().join(", ") };
    }),
  };
}

function set(state: RpcState, id: string, command: Extract<AgentCommand, { type: "set" }>): Outbound[] | undefined {
  const { model, mode, effort, controls } = command;
  if (mode === "inherit" || controls) return undefined;
  const rung = mode ? settingsOf(mode, state.controls) : {};
  const settings = compact({ modelId: model, reasoningEffort: effort, ...rung });
  return [request(id, "droid.update_session_settings", settings)];
}
