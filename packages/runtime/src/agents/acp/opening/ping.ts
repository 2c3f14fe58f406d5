import type { RpcId } from "../../../framing/json-rpc.ts";

/** Id prefix of pings, followed by the ping's key. Any response, including an error, settles a ping. */
export const PING = "ping:";

export function isPing(id: RpcId | null): id is string {
  return typeof id === "string" && id.startsWith(PING);
}
