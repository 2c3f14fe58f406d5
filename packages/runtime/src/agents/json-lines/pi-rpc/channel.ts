import { type Channel, defineChannel, type Launch, type LaunchOptions } from "../../contract.ts";
import { type Fields, fields, text } from "../../fields.ts";
import { recognises } from "../print-channel.ts";
import { decode } from "./decode.ts";
import { encode, handshake } from "./encode.ts";
import { gateFile } from "./gate/extension.ts";
import { initialState, type PiState } from "./state.ts";

export type PiLaunch = {
  /** Arguments and environment, without those of the gate. */
  launch: (options: LaunchOptions) => Launch;
  takes?: Channel["takes"];
  ignoresProject?: Channel["ignoresProject"];
  /** The agent has no permission system; our gate extension enforces the mode. */
  gate?: true;
  /** Reports subagents on request, and its commands unasked. */
  subagents?: true;
};

/** Pi's RPC mode and its derivatives: JSON lines in both directions, one process per session. */
export function rpcChannel(pi: PiLaunch): Channel<never> {
  return defineChannel<PiState>({
    name: "rpc",
    ...(pi.takes ? { takes: pi.takes } : {}),
    ignoresProject: pi.ignoresProject,
    launch: (options) => launch(pi, options),
    initial: (options) => initialState(options, true, isGated(pi, options)),
    open: () => handshake(pi.subagents === true),
    stage: () => ({ name: "get_state" }),
    decode: (state, frame) => decode("rpc", state, frame),
    encode,
    recognises: (lines) => lines.some((line) => isRpc(fields(line))),
  });
}

/** The same events in print mode: one process per turn, prompt on stdin. */
export function jsonChannel(pi: PiLaunch): Channel<never> {
  return defineChannel<PiState>({
    name: "json",
    perTurn: true,
    ...(pi.takes ? { takes: pi.takes } : {}),
    ignoresProject: pi.ignoresProject,
    launch: (options) => launch(pi, options),
    initial: (options) => initialState(options, false, isGated(pi, options)),
    open: () => [],
    decode: (state, frame) => decode("json", state, frame),
    encode: () => undefined,
    recognises: (lines) => recognises(lines, isPrinted) && !lines.some((line) => isRpc(fields(line))),
  });
}

const GATE_FILE = "gate.mjs";

function isGated({ gate }: PiLaunch, { mode }: LaunchOptions): boolean {
  return gate === true && mode !== "inherit";
}

function launch(pi: PiLaunch, options: LaunchOptions): Launch {
  const plain = pi.launch(options);
  if (!isGated(pi, options)) return plain;
  const args = [...plain.args, "--extension", `${options.dir}/${GATE_FILE}`];
  return { ...plain, args, files: { ...plain.files, [GATE_FILE]: gateFile(options.mode, options.folders) } };
}

function isRpc(line: Fields): boolean {
  const type = text(line.type) ?? "";
  if (type === "response" || type.startsWith("extension_ui_")) return !("jsonrpc" in line);
  if (type === "ready") return "protocolVersion" in line;
  return ["prompt", "steer", "follow_up", "get_state"].includes(type) && "id" in line && !("part" in line);
}

function isPrinted(line: Fields): boolean {
  const type = text(line.type) ?? "";
  if (type === "session") return "version" in line;
  return /^(agent|turn|message|tool_execution)_(start|update|end)$/.test(type);
}
