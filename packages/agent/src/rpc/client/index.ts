/** The client of `gantry agent --mode rpc`: everything here is documented in docs/sdk/rpc-client.md. */

export type {
  AssistantMessageEvent,
  SessionEvent,
  SessionEventOf,
  SessionEventType,
} from "../../contract/session-event.ts";
export type { UiRequest } from "../../contract/ui-request.ts";
export type { CommandResult } from "../handlers.ts";
export type { CommandName } from "../wire/commands.ts";
export type { WireGate } from "../wire/gate-wire.ts";
export { type AgentExit, RpcError } from "./errors.ts";
export type { HostScheme, HostTool, UiReply } from "./host-side.ts";
export {
  type CommandFields,
  type RequestOptions,
  RpcClient,
  type RpcClientOptions,
  type RpcCommands,
  type RpcRunResult,
} from "./rpc-client.ts";
