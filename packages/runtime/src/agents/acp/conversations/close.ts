import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import type { State } from "../state.ts";

/**
 * Closes a conversation: the agent frees its resources and keeps the history. Any response, including an error,
 * completes it.
 */
export const CLOSE = "session/close";

/** `undefined` if the agent does not support it. */
export function closeFrames({ can, nextId, session }: State): Outbound[] | undefined {
  if (!can.close) return undefined;
  return [{ msg: withVersion(rpcRequest(nextId, CLOSE, { sessionId: session })), key: CLOSE, repeat: "safe" }];
}
