import type { Channel } from "../contract.ts";
import { defineChannel } from "../contract.ts";
import { fields, text } from "../fields.ts";
import { pendingStage } from "../kit/pending-stage.ts";
import { listConversations } from "./conversations/list.ts";
import { decode } from "./decode.ts";
import { type Dialect, launchOf } from "./dialect.ts";
import { encode } from "./encode.ts";
import { initializeFrames } from "./opening/initialize.ts";
import { CHANNEL } from "./outputs.ts";
import { initialState, type State } from "./state.ts";
import { releaseEnd } from "./turns/finish.ts";
import { trailMs } from "./turns/trail.ts";
import { isUpdateKind } from "./updates/updates.ts";

/**
 * The channel for agents that speak the Agent Client Protocol (version 1 or 2) over stdio: one process and one
 * conversation per session. `dialect` holds the agent's deviations.
 *
 * The decoder is our own and pure, so that a spool can be replayed after a crash; docs/decisions records why the SDK's
 * connection is not used.
 */
export function acp(dialect: Dialect): Channel<never> {
  return defineChannel<State>({
    name: CHANNEL,
    takes: dialect.takes ?? { servers: ["stdio", "http", "sse"], folders: true },
    resumableFrom: dialect.resumableFrom,
    ignoresProject: dialect.ignoresProject,
    launch: (options) => launchOf(dialect, options),
    initial(options) {
      const { folders: _, ...opening } = options;
      const { servers, ...rest } = initialState(dialect.foldersAtStart ? opening : options);
      return servers && !dialect.serversAtStart ? { ...rest, servers } : rest;
    },
    open: (state) => initializeFrames(dialect, state),
    stage: pendingStage,
    decode: (state, frame) => decode(dialect, state, frame),
    encode: (state, command) => encode(dialect, state, command),
    trail: {
      ms: (state) => trailMs(dialect, state),
      late: (state) => state.turn?.late ?? 0,
      over: (state) => releaseEnd(dialect, state),
    },
    conversations: (tools, cwd) => listConversations(dialect, tools, cwd),
    recognises: (lines) => lines.some(isAcp),
  });
}

/** Accepts plain messages and messages wrapped as `{dir, msg}`. */
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
