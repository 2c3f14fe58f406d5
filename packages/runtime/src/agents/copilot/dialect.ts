import type { Dialect } from "../acp/dialect.ts";
import { type Fields, fields } from "../fields.ts";
import { folderArguments } from "../kit/launch-parts.ts";
import { serversPart } from "./servers.ts";

const modes = "https://agentclientprotocol.com/protocol/session-modes#";

const TASK = "task";

/** Copilot CLI: sends its own messages in the model's stream and counts usage per process. */
export const dialect: Dialect = {
  agent: "copilot",
  version: 1,
  args: ["--acp"],
  env: { COPILOT_AUTO_UPDATE: "false" },
  rungs: {
    plan: { mode: `${modes}plan`, options: { allow_all: "off" } },
    ask: { mode: `${modes}agent`, options: { allow_all: "off" } },
    "full-auto": { mode: `${modes}agent`, options: { allow_all: "on" } },
  },
  // Over ACP it rejects stdio servers; its flag accepts all kinds.
  serversAtStart: true,
  takes: { servers: ["stdio", "http", "sse"], folders: "named" },
  foldersAtStart: true,
  given: ({ kit, dir, mode, folders }) => [
    serversPart(kit, dir),
    folderArguments("--add-dir", { folders }),
    // The user's environment may allow everything; the option decides.
    mode === "inherit" ? undefined : { env: { COPILOT_ALLOW_ALL: "false" } },
  ],
  setsModel: true,
  printed: /^(?<output>[\s\S]*?)\n?<shellId: \S+ completed with exit code (?<exit>-?\d+)>\s*$/,
  call: addToolName,
  subagentTool: TASK,
  subagentsSpeak: true,
  asides: [
    { pattern: /^Compacted conversation history/, as: "compacted" },
    { pattern: /^Info: .*retrying/i, as: "retry" },
    { pattern: /^Info: /, as: "notice" },
  ],
  failureText: /^Error: /,
  totalUsage: true,
  compact: "compact",
  login: "copilot login",
};

/** Tools by the keys of their inputs. */
const tools: readonly (readonly [key: string, name: string])[] = [
  ["agent_type", TASK],
  ["command", "bash"],
  ["file_text", "create"],
  ["old_str", "edit"],
];

/** Copilot sends display titles instead of tool names. */
function addToolName(call: Fields): Fields {
  const input = fields(call.rawInput);
  const name = tools.find(([key]) => typeof input[key] === "string")?.[1];
  return name ? { ...call, name } : call;
}
