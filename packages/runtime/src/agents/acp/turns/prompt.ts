import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import type { State } from "../state.ts";

/** The prompt carries our message id, so that a recording contains it. */
export const MESSAGE_META = "gantry/message";

export function textBlock(text: string): Fields {
  return { type: "text", text };
}

export function promptFrame(state: State, prompt: Fields[], message?: string): Outbound {
  const msg = promptRequest(state, prompt, message ? { [MESSAGE_META]: message } : undefined);
  return compact({ msg, key: message, repeat: "ask" });
}

export function promptRequest(state: State, prompt: Fields[], meta?: Fields): unknown {
  const params = compact({ sessionId: state.session, prompt, _meta: meta });
  return withVersion(rpcRequest(state.nextId, "session/prompt", params));
}
