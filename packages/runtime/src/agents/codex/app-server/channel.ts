import { defineChannel } from "../../contract.ts";
import { type Fields, fields, text } from "../../fields.ts";
import { mergeLaunch, skillsFolder } from "../../kit/launch-parts.ts";
import { pendingStage } from "../../kit/pending-stage.ts";
import { listThreads } from "../history/conversations.ts";
import { distrustProject } from "../modes.ts";
import { decode } from "./decode.ts";
import { encode, handshakeFrames } from "./encode.ts";
import { CHANNEL, initialState, type State } from "./state.ts";

/** `codex app-server`: JSON-RPC lines, one process and one thread per session. */
export const appServer = defineChannel<State>({
  name: CHANNEL,
  takes: { instructions: true, servers: ["stdio", "http"], skills: true, skillsSince: "0.148", folders: true },
  ignoresProject: { modes: ["plan", "ask", "auto-edit", "full-auto", "inherit"], since: "0.130.0" },
  launch: (options) =>
    mergeLaunch(
      { args: ["app-server", ...distrustProject(options)] },
      skillsFolder(options.kit, options.dir, () => ({})),
    ),
  initial: initialState,
  open: handshakeFrames,
  stage: pendingStage,
  decode,
  encode,
  conversations: listThreads,
  recognises: (lines) => lines.some(isAppServer),
});

const namespaces = /^(thread|turn|item|account|remoteControl|serverRequest)\//;

/** Accepts plain and wrapped `{dir, msg}` lines. ACP sends a protocol version and always names its JSON-RPC version. */
function isAppServer(line: unknown): boolean {
  const outer = fields(line);
  const message: Fields = "msg" in outer ? fields(outer.msg) : outer;
  if ("jsonrpc" in message) return false;
  const method = text(message.method) ?? "";
  if (method === "initialize")
    return "clientInfo" in fields(message.params) && !("protocolVersion" in fields(message.params));
  return namespaces.test(method) || method === "configWarning" || "codexHome" in fields(message.result);
}
