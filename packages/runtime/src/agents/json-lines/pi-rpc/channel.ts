import { type Channel, defineChannel, type LaunchOptions } from "../../contract.ts";
import { recognises } from "../print-channel.ts";
import { type Fields, fields, text } from "../reading/fields.ts";
import { decode } from "./decode.ts";
import { encode, handshake } from "./encode.ts";
import { initialState, type PiState } from "./state.ts";

export type PiLaunch = (options: LaunchOptions) => { args: string[]; env?: Record<string, string> };

/** JSON lines in both directions, one process a session: Pi's RPC mode and those made after it. */
export function rpcChannel(launch: PiLaunch): Channel<never> {
  return defineChannel<PiState>({
    name: "rpc",
    launch,
    initial: (options) => initialState(options, true),
    open: handshake,
    decode: (state, frame) => decode("rpc", state, frame),
    encode,
    recognises: (lines) => lines.some((line) => isRpc(fields(line))),
  });
}

/** The same events printed, one process a turn with the prompt on stdin. */
export function jsonChannel(launch: PiLaunch): Channel<never> {
  return defineChannel<PiState>({
    name: "json",
    perTurn: true,
    launch,
    initial: (options) => initialState(options, false),
    open: () => [],
    decode: (state, frame) => decode("json", state, frame),
    encode: () => undefined,
    recognises: (lines) => recognises(lines, isPrinted) && !lines.some((line) => isRpc(fields(line))),
  });
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
