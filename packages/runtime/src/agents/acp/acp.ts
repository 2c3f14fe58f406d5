import type { Channel } from "../contract.ts";
import { defineChannel } from "../contract.ts";
import { fields, text } from "../fields.ts";
import { mergeLaunch } from "../kit/launch-parts.ts";
import { listConversations } from "./conversations/list.ts";
import { decode } from "./decode.ts";
import type { Dialect } from "./dialect.ts";
import { encode } from "./encode.ts";
import { greeting } from "./opening/greeting.ts";
import { CHANNEL } from "./outputs.ts";
import { initialState, type State } from "./state.ts";
import { trailOver } from "./turns/finish.ts";
import { trailMs } from "./turns/trail.ts";
import { isUpdateKind } from "./updates/updates.ts";

/**
 * The channel to an agent that speaks the Agent Client Protocol, version 1 or 2, over stdio: one process and one
 * conversation per session. A dialect says in what the agent differs from the others.
 */
export function acp(dialect: Dialect): Channel<never> {
  return defineChannel<State>({
    name: CHANNEL,
    takes: dialect.takes ?? { servers: ["stdio", "http", "sse"] },
    resumableFrom: dialect.resumableFrom,
    launch(options) {
      const rung = dialect.rungs[options.mode];
      const args = [...(rung?.first ?? []), ...dialect.args, ...(rung?.args ?? [])];
      return mergeLaunch({ args, env: { ...dialect.env, ...rung?.env } }, ...(dialect.given?.(options) ?? []));
    },
    initial(options) {
      const { servers, ...rest } = initialState(options);
      return servers && !dialect.serversAtStart ? { ...rest, servers } : rest;
    },
    open: (state) => greeting(dialect, state),
    decode: (state, frame) => decode(dialect, state, frame),
    encode: (state, command) => encode(dialect, state, command),
    trail: { ms: (state) => trailMs(dialect, state), over: (state) => trailOver(dialect, state) },
    conversations: (tools, cwd) => listConversations(dialect, tools, cwd),
    recognises: (lines) => lines.some(isAcp),
  });
}

/** Lines may be wrapped as `{dir, msg}`. */
function isAcp(line: unknown): boolean {
  const outer = fields(line);
  const message = "msg" in outer ? fields(outer.msg) : outer;
  if (message.jsonrpc !== "2.0") return false;
  const [params, result] = [fields(message.params), fields(message.result)];
  switch (text(message.method)) {
    case "initialize":
      return typeof params.protocolVersion === "number";
    case "session/update":
      return isUpdateKind(fields(params.update).sessionUpdate);
    case "session/request_permission":
      return true;
  }
  return typeof result.protocolVersion === "number";
}
