import { createHash } from "node:crypto";
import type { Attachment, InputAnswer, InputRequest } from "@gantry/protocol";
import type { AgentCommand, Outbound } from "../contract.ts";
import { compact, type Fields, fields } from "../fields.ts";
import { OUTPUT_STYLE } from "./controls.ts";
import { options } from "./decode/asks.ts";
import { nativeTask } from "./decode/messages/tasks.ts";
import type { State } from "./decode/state.ts";
import { keepsAskRules } from "./launch/own-rules.ts";
import { nativeOf } from "./modes.ts";

/** The handshake. Its response lists models and commands, and means that prompts are accepted. */
export function handshake(): Outbound[] {
  return [control("gantry-initialize", { subtype: "initialize" })];
}

/**
 * The frames of a command. Claude Code deduplicates messages by UUID, also across a resume, and ignores answers to
 * settled requests. So everything but an interrupt is idempotent.
 */
export function encode(state: State, command: AgentCommand): Outbound[] | undefined {
  const id = (what: string) => `gantry-${what}-${state.written}`;
  switch (command.type) {
    case "prompt":
      return [userFrame(command.message, command.text, command.attachments, command.tries)];
    case "steer":
      return [userFrame(command.message, command.text, command.attachments, command.tries)];
    case "retract":
      return [control(id("retract"), { subtype: "cancel_async_message", message_uuid: uuidOf(command) })];
    case "interrupt":
      return [{ ...control(id("interrupt"), { subtype: "interrupt" }), repeat: "ask" }];
    case "answer":
      return [answerFrame(state, command.key, command.answer, command.request)];
    case "stopTask":
      return [control(id("stop"), { subtype: "stop_task", task_id: nativeTask(state.jobs, command.task) })];
    case "context":
      return [control(id("context"), { subtype: "get_context_usage" })];
    case "set":
      return isStartedFor(state, command) ? settings(state, id, command) : undefined;
    case "ping":
      return [control(command.key, { subtype: "get_binary_version" })];
  }
}

/** Whether the rules that were given at the start fit the requested mode and controls. */
function isStartedFor(state: State, { mode, controls }: Extract<AgentCommand, { type: "set" }>): boolean {
  if (!mode && !controls) return true;
  const next = mode ?? state.asked ?? "inherit";
  if (next === "inherit" || !state.pinned) return next === "inherit" && !state.pinned;
  return keepsAskRules(next, controls ?? state.controls) ? !state.lacksAskRules : !state.asksByRule;
}

/** The `gantry` field is ignored by Claude. */
function control(id: string, request: Fields, gantry?: Fields): Outbound {
  const msg = compact({ type: "control_request", request_id: id, request, gantry });
  return { msg, key: id, repeat: "safe" };
}

/** `undefined` for what only a start can change: the output style, and a return to Claude Code's own configuration. */
function settings(
  state: State,
  id: (what: string) => string,
  set: Extract<AgentCommand, { type: "set" }>,
): Outbound[] | undefined {
  const asked = set.mode ?? state.asked ?? "inherit";
  const controls = set.controls ?? state.controls ?? {};
  const native = set.mode || set.controls ? nativeOf(asked, controls) : undefined;
  if (set.controls && (!native || controls[OUTPUT_STYLE] !== state.controls?.[OUTPUT_STYLE])) return undefined;
  const gantry = compact({ mode: asked, controls: set.controls });
  return [
    ...(set.model ? [control(id("model"), { subtype: "set_model", model: set.model })] : []),
    ...(native ? [control(id("mode"), { subtype: "set_permission_mode", mode: native }, gantry)] : []),
    ...(set.effort
      ? [control(id("effort"), { subtype: "apply_flag_settings", settings: { effortLevel: set.effort } })]
      : []),
  ];
}

/** A message that was accepted without effect gets a new UUID. */
function uuidOf({ message, tries }: { message: string; tries: number }): string {
  return messageUuid(tries > 0 ? `${message} ${tries}` : message);
}

function userFrame(message: string, text: string, attachments: Attachment[], tries = 0): Outbound {
  const uuid = uuidOf({ message, tries });
  const msg = frame(uuid, content(text, attachments), { message });
  return { msg, key: message, repeat: "safe" };
}

/** The `gantry` field is ignored by Claude and carries our id for decoding the journal. */
function frame(uuid: string, content: Fields[], gantry: Fields): Fields {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "", uuid, gantry };
}

/** Supported images are sent inline; files on disk are mentioned, so that Claude reads them. */
function content(text: string, attachments: Attachment[]): Fields[] {
  const images = attachments.filter((file) => file.data && file.mime?.startsWith("image/"));
  const documents = attachments.filter((file) => file.data && file.mime === "application/pdf");
  const mentions = attachments.filter((file) => file.path && !file.data).map((file) => mentionPath(file.path ?? ""));
  const texts = attachments.filter((file) => file.data && !images.includes(file) && !documents.includes(file));
  return [
    ...images.map((file) => ({ type: "image", source: base64(file) })),
    ...documents.map((file) => compact({ type: "document", source: base64(file), title: file.name })),
    ...texts.map((file) => ({ type: "text", text: inlineFile(file) })),
    { type: "text", text: [text, ...mentions].filter((part) => part !== "").join("\n") || " " },
  ];
}

function base64(file: Attachment): Fields {
  return { type: "base64", media_type: file.mime, data: file.data };
}

function inlineFile(file: Attachment): string {
  const body = Buffer.from(file.data ?? "", "base64").toString("utf8");
  return `File ${file.name ?? "without a name"}:\n${body}`;
}

function mentionPath(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

function answerFrame(state: State, key: string, answer: InputAnswer, request: InputRequest): Outbound {
  const response = request.kind === "elicitation" ? encodeElicitation(answer) : permission(state, answer, request);
  const msg = { type: "control_response", response: { subtype: "success", request_id: key, response } };
  return { msg, key, repeat: "safe" };
}

/**
 * Claude's suggested permission rules are never returned: Gantry stores session grants, scoped and revocable, and
 * Gantry answers the requests they cover.
 */
function permission(state: State, answer: InputAnswer, request: InputRequest): Fields {
  const stop = answer.decision === "cancel" || answer.option === options.denyAndStop.id;
  if (stop) return { behavior: "deny", message: answer.message ?? "The user stopped the turn.", interrupt: true };
  const refused = answer.decision === "deny" || answer.option === options.keepPlanning.id;
  if (refused) return { behavior: "deny", message: answer.message ?? "The user did not allow this." };
  const input = answer.edits ?? fields(request.tool?.input);
  if (request.kind === "question") return { behavior: "allow", updatedInput: questionInput(answer, request) };
  if (request.kind !== "plan") return { behavior: "allow", updatedInput: input };
  const auto = answer.option === options.approvePlanAutoEdit.id;
  const mode = auto ? nativeOf("auto-edit") : (state.beforePlan ?? nativeOf("ask"));
  return {
    behavior: "allow",
    updatedInput: input,
    updatedPermissions: [{ type: "setMode", mode, destination: "session" }],
  };
}

/** The tool's input with the answers, keyed by question text. */
function questionInput(answer: InputAnswer, request: InputRequest): Fields {
  const answers = request.questions.flatMap((question) => {
    const given = answer.answers?.[question.id];
    return given === undefined ? [] : [[question.text, Array.isArray(given) ? given.join(", ") : given]];
  });
  return { ...fields(request.tool?.input), ...answer.edits, answers: Object.fromEntries(answers) };
}

function encodeElicitation(answer: InputAnswer): Fields {
  if (answer.decision === "cancel") return { action: "cancel" };
  if (answer.decision === "deny") return { action: "decline" };
  return { action: "accept", content: answer.answers ?? {} };
}

/** The UUID of a user message, derived from our id: Claude Code deduplicates messages by UUID. */
export function messageUuid(message: string): string {
  const bytes = createHash("sha1").update(`gantry message ${message}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
