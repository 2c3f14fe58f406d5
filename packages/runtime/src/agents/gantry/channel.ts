import {
  type AgentCommand,
  defineChannel,
  type Frame,
  type Launch,
  type LaunchOptions,
  type Outbound,
  type Step,
} from "../contract.ts";
import { type Fields, fields, text } from "../fields.ts";
import { toolOutput } from "../json-lines/calls.ts";
import { Pass } from "../json-lines/pass.ts";
import { decode as decodeTalk } from "../json-lines/pi-rpc/decode.ts";
import { encode as encodeTalk, handshake } from "../json-lines/pi-rpc/encode.ts";
import { initialState, type PiState } from "../json-lines/pi-rpc/state.ts";
import { readPlan } from "../json-lines/reading/plan.ts";
import { instructionsFile, mergeLaunch, serversFile, skillsFolder } from "../kit/launch-parts.ts";
import { decodeAnswer, handleDialog, reply } from "./asks.ts";
import { controlKey, controlKeyFile, signFrame } from "./control-key.ts";
import { failureIn } from "./failures.ts";
import { decodeJob, stopJob } from "./jobs.ts";
import { subagentsIn } from "./subagents.ts";

const CHANNEL = "rpc";

/** `control`: signs the frames for this process. Absent in a process that an older version started. */
type GantryState = PiState & { control?: string };

/** `gantry agent --mode rpc`: one process per session. Every frame for it is signed. */
export const rpc = defineChannel<GantryState>({
  name: CHANNEL,
  takes: { instructions: true, servers: ["stdio", "http", "sse"], skills: true, folders: true },
  launch: launchOf,
  initial: (options) => ({ ...initialState(options, true, false), control: controlKey(options) }),
  open: ({ control }) => handshake(false).map((frame) => signFrame(frame, control)),
  stage: () => ({ name: "get_state" }),
  decode,
  encode: (state, command) => encode(state, command)?.map((frame) => signFrame(frame, state.control)),
  recognises: (lines) => lines.some((line) => fields(line).protocol_version === 2 && fields(line).type === "event"),
});

function launchOf(options: LaunchOptions): Launch {
  const { kit, dir } = options;
  return mergeLaunch(
    { args: argumentsFor(options) },
    controlKeyFile(options),
    skillsFolder(kit, dir, (path) => ({ args: ["--skills", path] })),
    serversFile(kit, dir, (path) => ({ args: ["--mcp-config", path] })),
    instructionsFile(kit, dir, (path) => ({ args: ["--append-system-prompt", `@${path}`] })),
  );
}

function argumentsFor({ model, effort, mode, resume, fork, folders = [] }: LaunchOptions): string[] {
  return [
    ...["--mode", "rpc"],
    ...(model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...(mode === "inherit" ? [] : ["--permission-mode", mode]),
    ...(resume ? [fork ? "--fork" : "--resume", resume] : []),
    ...folders.flatMap((folder) => ["--folder", folder]),
  ];
}

/** Handles the messages specific to this agent; the rest is shared with Pi. */
function decode(state: GantryState, wrapped: Frame): Step<GantryState> {
  const [next, outputs] = decodeFrame(state, unwrapEvent(wrapped));
  const signed = outputs.map((output) =>
    output.kind === "send" ? { ...output, frame: signFrame(output.frame, state.control) } : output,
  );
  return [next, signed];
}

function decodeFrame(state: GantryState, frame: Frame): Step<GantryState> {
  const received = "msg" in frame ? fields(frame.msg) : {};
  const pass = new Pass(state, CHANNEL);
  if (frame.dir === "in" && received.type === "extension_ui_response" && decodeAnswer(pass, received))
    return pass.step();
  if (frame.dir === "out" && handleOwnMessage(pass, received)) return pass.step();
  const aborted = received.type === "agent_settled" && received.reason === "aborted";
  const [next, outputs] = decodeTalk(CHANNEL, aborted ? { ...state, stop: "aborted" } : state, frame);
  outputs.push(...subagentsIn(next, received));
  const failure = received.type === "message_end" ? failureIn(fields(received.message)) : undefined;
  return [failure ? { ...next, failure } : next, outputs];
}

/** Returns false for messages of the shared protocol. */
function handleOwnMessage(pass: Pass<PiState>, received: Fields): boolean {
  if (decodeJob(pass, received)) return true;
  switch (received.type) {
    case "tool_execution_update":
      toolOutput(pass, text(received.toolCallId) ?? "", text(received.delta) ?? "");
      return true;
    case "extension_ui_request":
      return handleDialog(pass, received);
    case "todos_changed": {
      const entries = readPlan(received);
      if (entries) pass.event("plan.updated", { entries });
      return true;
    }
    case "context_promoted":
      pass.event("model.changed", { from: text(received.from), to: text(received.to) ?? "" });
      return true;
    case "retry_fallback_applied":
      pass.notice(
        "fallback",
        "warning",
        `${text(received.from)} does not answer; ${text(received.to)} takes its place.`,
      );
      return true;
    case "ttsr_triggered":
      pass.notice("rule", "info", `The answer was stopped by a rule: ${namesOf(received.rules)}`);
      return true;
    default:
      return QUIET.has(text(received.type) ?? "");
  }
}

/** Ignored events, reported in another way. */
const QUIET = new Set(["retry_fallback_succeeded", "todo_auto_clear", "bash_execution_update", "credential_disabled"]);

function namesOf(rules: unknown): string {
  const names = (Array.isArray(rules) ? rules : []).map((rule) =>
    typeof rule === "string" ? rule : text(fields(rule).name),
  );
  return names.filter(Boolean).join(", ");
}

function encode(state: PiState, command: AgentCommand): Outbound[] | undefined {
  if (command.type === "answer") {
    const frame = reply(state, command.key, command.answer, command.request);
    if (frame) return [frame];
  }
  if (command.type === "set" && command.mode) {
    if (command.mode === "inherit") return undefined;
    const id = `set-${state.written}`;
    return [{ msg: { id, type: "set_mode", mode: command.mode }, key: id, repeat: "safe" }];
  }
  if (command.type === "stopTask") return stopJob(state, command);
  if (command.type === "retract") {
    const id = `retract-${state.written}`;
    return [{ msg: { id, type: "cancel_message", messageId: command.message }, key: id, repeat: "safe" }];
  }
  const frames = encodeTalk(state, command);
  if (command.type !== "steer") return frames;
  // The run may have ended by now, and then nothing would send the queued message.
  return frames?.map((frame) => ({ ...frame, msg: { ...fields(frame.msg), startIfIdle: true } }));
}

/** Unwraps the numbered event envelope. Other frames are bare. */
function unwrapEvent(frame: Frame): Frame {
  if (frame.dir !== "out" || !("msg" in frame)) return frame;
  const { type, payload } = fields(frame.msg);
  const inner = type === "event" ? fields(payload).event : undefined;
  return inner === undefined ? frame : { dir: "out", msg: inner };
}
