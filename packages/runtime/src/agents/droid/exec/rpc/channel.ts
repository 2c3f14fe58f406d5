import { defineChannel } from "../../../contract.ts";
import { fields, text } from "../../../json-lines/reading/fields.ts";
import { decode } from "./decode.ts";
import { encode, OPEN, request } from "./encode.ts";
import { CHANNEL, initialState, type RpcState } from "./state.ts";

/**
 * `droid exec` in its JSON-RPC of both directions: one process a session, live text, approvals. It needs no account of
 * Droid's maker, and two sessions in one process, which Droid mixes up, never happen.
 */
export const streamJsonRpc = defineChannel<RpcState>({
  name: CHANNEL,
  launch: () => ({ args: ["exec", "--input-format", CHANNEL, "--output-format", CHANNEL] }),
  initial: initialState,
  open: ({ opening }) => [request(OPEN, opening.method, opening.params, "ask")],
  decode,
  encode,
  recognises: (lines) => lines.some((line) => text(fields(line).method)?.startsWith("droid.") === true),
});
