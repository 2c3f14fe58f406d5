import type { Channel, LaunchOptions } from "../contract.ts";
import { fields } from "../fields.ts";
import { mergeLaunch } from "../kit/launch-parts.ts";
import { OUTPUT_STYLE } from "./controls.ts";
import { decode } from "./decode/decode.ts";
import { initialState, type State } from "./decode/state.ts";
import { encode, handshake } from "./encode.ts";
import { kitParts } from "./launch/kit.ts";
import { managedSettings, readOwnRules } from "./launch/own-rules.ts";
import { nativeOf } from "./modes.ts";
import { CHANNEL } from "./outputs.ts";

/**
 * `claude -p` with JSON lines in both directions: one long-lived process per conversation. Claude replays user messages
 * and our answers, which confirms their delivery.
 */
export const streamJson: Channel<State> = {
  name: CHANNEL,
  takes: { instructions: true, servers: ["stdio", "http", "sse"], skills: true, folders: true },
  readOwnRules,
  ignoresProject: { modes: ["plan", "ask", "auto-edit", "full-auto", "inherit"], since: "2.1.118" },
  launch: (options) =>
    mergeLaunch(
      { args: [...BASE, ...conversation(options), ...settings(options)] },
      managedSettings(options),
      options.project === "untrusted" ? WITHOUT_PROJECT : undefined,
      options.transient ? ONE_TEXT : undefined,
      ...kitParts(options),
    ),
  initial: initialState,
  open: handshake,
  stage: ({ resumes }) => ({ name: "initialize", ...(resumes === undefined ? {} : { resumes: true }) }),
  decode,
  encode,
  recognises: (lines) => lines.slice(0, 20).some(isFrame),
};

const BASE = [
  "-p",
  ...["--input-format", "stream-json"],
  ...["--output-format", "stream-json"],
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  ...["--permission-prompt-tool", "stdio"],
];

/** Drops the project's settings, plugins, agents, commands and servers. The user's own servers are dropped as well. */
const WITHOUT_PROJECT = { args: ["--setting-sources", "user", "--strict-mcp-config"] };

/** Without tools and servers a request has a tenth of the usual input. */
const ONE_TEXT = {
  args: [
    "--no-session-persistence",
    "--strict-mcp-config",
    "--disable-slash-commands",
    ...["--tools", ""],
    ...["--system-prompt", "You write short texts."],
  ],
};

function conversation(options: LaunchOptions): string[] {
  if (!options.resume) return ["--session-id", options.uuid];
  const resumed = ["--resume", options.resume];
  return options.fork ? [...resumed, "--fork-session", "--session-id", options.uuid] : resumed;
}

function settings(options: LaunchOptions): string[] {
  // Claude Code replaces Haiku by a larger model in plan mode. Without tools, no mode permits anything.
  const mode = nativeOf(options.transient ? "ask" : options.mode, options.controls);
  const style = options.controls?.[OUTPUT_STYLE];
  return [
    ...(options.model ? ["--model", options.model] : []),
    ...(mode ? ["--permission-mode", mode] : []),
    ...(options.effort ? ["--effort", options.effort] : []),
    ...(style ? ["--settings", JSON.stringify({ outputStyle: style })] : []),
    ...(options.folders ?? []).flatMap((folder) => ["--add-dir", folder]),
  ];
}

const OWN_TYPES = [
  "stream_event",
  "control_request",
  "control_response",
  "control_cancel_request",
  "command_lifecycle",
];
const SHARED_TYPES = ["system", "assistant", "user", "result"];

/** Other agents also use `system` and `result`; Claude's frames always carry the session id. */
function isFrame(line: unknown): boolean {
  const frame = fields(line);
  const type = typeof frame.type === "string" ? frame.type : "";
  if (OWN_TYPES.includes(type)) return true;
  return SHARED_TYPES.includes(type) && (typeof frame.session_id === "string" || type === "user");
}
