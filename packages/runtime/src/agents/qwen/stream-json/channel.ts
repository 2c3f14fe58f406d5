import type { McpServer, Mode } from "@gantry/protocol";
import type { LaunchOptions } from "../../contract.ts";
import { decodeLine, inbound, isMessageStream } from "../../json-lines/message-stream/decode.ts";
import { emptyMessages, type MessageState } from "../../json-lines/message-stream/state.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { folderArguments, mergeLaunch, serverEntry, serversFile } from "../../kit/launch-parts.ts";
import { modePermissions } from "../permissions.ts";

/**
 * `qwen --output-format stream-json` with the prompt on stdin: one process per turn. Also decodes recordings of its
 * control protocol, which has approvals.
 */
export const streamJson = printChannel<MessageState>({
  name: "stream-json",
  takes: { servers: ["stdio", "http", "sse"], folders: true },
  launch: (options) =>
    mergeLaunch(
      { args: argumentsFor(options), env: { QWEN_CODE_NO_RELAUNCH: "true" } },
      serversFile(
        options.kit,
        options.dir,
        (path) => ({ args: ["--mcp-config", path], env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" } }),
        qwenServerEntry,
      ),
      modePermissions(options),
      folderArguments("--include-directories", options),
    ),
  initial: emptyMessages,
  line: decodeLine,
  inbound,
  isOurs: isMessageStream,
});

/** Qwen distinguishes HTTP from SSE servers by the key of the URL. */
function qwenServerEntry(server: McpServer): Record<string, unknown> {
  if ("command" in server) return serverEntry(server);
  const key = server.transport === "http" ? "httpUrl" : "url";
  return { [key]: server.url, headers: server.headers ?? {} };
}

/** In restrictive modes Qwen does not offer the model tools that need an approval. */
const approvals: Record<Mode, string[]> = {
  plan: ["--approval-mode", "plan"],
  ask: ["--approval-mode", "default"],
  "auto-edit": ["--approval-mode", "auto-edit"],
  "full-auto": ["--approval-mode", "yolo"],
  inherit: [],
};

function argumentsFor({ model, mode, resume }: LaunchOptions): string[] {
  return [
    ...["--output-format", "stream-json", "--include-partial-messages"],
    ...approvals[mode],
    ...(model ? ["--model", model] : []),
    ...(resume ? ["--resume", resume] : []),
  ];
}
