import { defineChannel } from "../../../contract.ts";
import { fields, text } from "../../../fields.ts";
import { decode } from "./decode.ts";
import { encode, request } from "./encode.ts";
import { steps } from "./opening.ts";
import { CHANNEL, initialState, type RpcState } from "./state.ts";

/**
 * `droid exec` with two-way JSON-RPC: one process per session, streaming, approvals, questions, steering and forks.
 * Needs no Factory account.
 */
export const streamJsonRpc = defineChannel<RpcState>({
  name: CHANNEL,
  takes: { instructions: true, servers: ["stdio", "http", "sse"], folders: "named" },
  launch: () => ({ args: ["exec", "--input-format", CHANNEL, "--output-format", CHANNEL] }),
  initial: initialState,
  open: ({ opening }) => [request(steps.open, opening.method, opening.params, "ask")],
  stage: ({ opening: { method, params } }) => ({ name: method, ...("sessionId" in params ? { resumes: true } : {}) }),
  decode,
  encode,
  recognises: (lines) => lines.some((line) => text(fields(line).method)?.startsWith("droid.") === true),
});
