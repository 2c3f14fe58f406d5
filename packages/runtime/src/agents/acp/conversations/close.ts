import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import type { State } from "../state.ts";

/**
 * The request that puts a conversation away: the agent frees what it holds for it and keeps what was said. Any answer,
 * also a refusal, means that it is done.
 */
export const CLOSE = "session/close";

/** `undefined` for an agent that does not know the request. */
export function closeFrames({ can, nextId, session }: State): Outbound[] | undefined {
  if (!can.close) return undefined;
  return [{ msg: withVersion(rpcRequest(nextId, CLOSE, { sessionId: session })), key: CLOSE, repeat: "safe" }];
}
