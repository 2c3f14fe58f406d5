import type { RpcId } from "../../../framing/json-rpc.ts";

/** Ids of pings start with this and carry the ping's key, so that any answer, also a refusal, settles them. */
export const PING = "ping:";

export function isPing(id: RpcId | null): id is string {
  return typeof id === "string" && id.startsWith(PING);
}
