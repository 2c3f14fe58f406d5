import type { Attachment, InputAnswer } from "@gantry/protocol";
import type { AgentCommand, Outbound } from "../../contract.ts";
import { compact, ownValue } from "../../fields.ts";
import { chosenOption } from "../two-way.ts";
import { gateAnswer } from "./gate/asks.ts";
import { GATE, MODE_COMMAND } from "./gate/extension.ts";
import type { PiState } from "./state.ts";

const COMPACT = /^\/compact(?:\s+(.+))?$/s;

function frame(id: string, msg: Record<string, unknown>, repeat: Outbound["repeat"] = "safe"): Outbound {
  return { msg: { id, ...msg }, key: id, repeat };
}

/** The handshake: requests the conversation, the model and the commands. */
export function handshake(hasSubagents: boolean): Outbound[] {
  const questions = ["get_state", "get_available_models", hasSubagents ? [] : "get_commands"].flat();
  const subagents = hasSubagents ? [{ type: "set_subagent_subscription", level: "progress" }] : [];
  return [...questions.map((type) => ({ type })), ...subagents].map((msg) => frame(`open-${msg.type}`, msg));
}

/** The frames of a command. The mode can be changed at run time only if the gate enforces it. */
export function encode(state: PiState, command: AgentCommand): Outbound[] | undefined {
  const id = `${command.type}-${state.written}`;
  switch (command.type) {
    case "prompt":
      return [compaction(command) ?? frame(command.message, { type: command.type, ...content(command) }, "ask")];
    case "steer":
      return [frame(command.message, { type: command.type, ...content(command) }, "ask")];
    case "interrupt":
      return [...clearing(state, id), frame(id, { type: "abort" }), ...dismissals(state)];
    case "answer":
      return [reply(state, command)];
    case "set":
      return set(state, id, command);
    case "ping":
      return [frame(command.key, { type: "get_state" })];
  }
}

/** The agent would send unread steers with its next prompt. The engine returns them to its own queue. */
function clearing({ sent }: PiState, id: string): Outbound[] {
  const unread = Object.values(sent).some(({ message, inline }) => message !== undefined && inline);
  return unread ? [frame(`clear-${id}`, { type: "clear_queue" })] : [];
}

/** Dismisses open dialogs, which the abort does not close. */
function dismissals({ asks }: PiState): Outbound[] {
  return Object.keys(asks).map((key) => frame(key, { type: "extension_ui_response", cancelled: true }));
}

/** `/compact` belongs to the terminal UI; over RPC it is a separate request. */
function compaction({ message, text }: { message: string; text: string }): Outbound | undefined {
  const [command, about] = COMPACT.exec(text.trim()) ?? [];
  if (command === undefined) return undefined;
  return frame(message, compact({ type: "compact", customInstructions: about }), "ask");
}

/** Images are sent inline, other files by path. */
function content({ text, attachments }: { text: string; attachments: Attachment[] }) {
  const images = attachments.flatMap(({ data, mime }) =>
    data && mime?.startsWith("image/") ? [{ type: "image", data, mimeType: mime }] : [],
  );
  const paths = attachments.flatMap(({ path }) => (path ? [`@${path}`] : []));
  const message = paths.length > 0 ? `${text}\n\n${paths.join("\n")}` : text;
  return compact({ message, images: images.length > 0 ? images : undefined });
}

function reply(state: PiState, { key, answer, request }: Extract<AgentCommand, { type: "answer" }>): Outbound {
  const method = ownValue(state.asks, key)?.method;
  if (method === GATE) return frame(key, { type: "extension_ui_response", value: gateAnswer(answer) });
  const value = request.options.length > 0 ? chosenOption(answer, request) : answerText(answer);
  const result =
    answer.decision === "cancel" || answer.edits !== undefined || value === undefined
      ? { cancelled: true }
      : method === "confirm"
        ? { confirmed: value === "true" }
        : { value };
  return frame(key, { type: "extension_ui_response", ...result });
}

/** The text answer; `undefined` for a denial. */
function answerText({ decision, answers, message }: InputAnswer): string | undefined {
  if (decision === "deny") return undefined;
  const value = Object.values(answers ?? {})[0];
  return Array.isArray(value) ? value.join("\n") : (value ?? message);
}

function set(
  state: PiState,
  id: string,
  { model, effort, mode }: Extract<AgentCommand, { type: "set" }>,
): Outbound[] | undefined {
  if (mode) return state.gated ? [frame(id, { type: "prompt", message: `/${MODE_COMMAND} ${mode}` })] : undefined;
  const [, provider, modelId] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  if (provider && modelId) return [frame(id, { type: "set_model", provider, modelId })];
  return effort ? [frame(id, { type: "set_thinking_level", level: effort })] : undefined;
}
