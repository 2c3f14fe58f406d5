import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound } from "../../contract.ts";
import { compact, type Fields } from "../../fields.ts";
import type { State } from "../state.ts";

/** Our name for the message goes along with a prompt, so that a recording of the talk can tell it. */
export const MESSAGE = "gantry/message";

export function textBlock(text: string): Fields {
  return { type: "text", text };
}

export function promptFrame(state: State, prompt: Fields[], message?: string): Outbound {
  const msg = promptRequest(state, prompt, message ? { [MESSAGE]: message } : undefined);
  return compact({ msg, key: message, repeat: "ask" });
}

export function promptRequest(state: State, prompt: Fields[], meta?: Fields): unknown {
  const params = compact({ sessionId: state.session, prompt, _meta: meta });
  return withVersion(rpcRequest(state.nextId, "session/prompt", params));
}
