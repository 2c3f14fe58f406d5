import type { Dialect } from "../acp/dialect.ts";
import { compact, type Fields, fields, nonBlank, ownValue } from "../fields.ts";
import { modeGate } from "./gate.ts";
import { extensions } from "./notifications.ts";

/** Notifications for Grok's own interface. */
const quiet = [
  ...["session/setup", "session/prompt_complete", "session/update", "session/interjection", "sessions/changed"],
  ...["mcp/servers_updated", "mcp/init_progress", "mcp/server_status", "mcp/tools_changed", "mcp_initialized"],
  ...["models/update", "settings/update", "announcements/update", "config_changed", "git_head_changed"],
  ...["fs_notify", "fs/index", "fs/index/delta", "search/fuzzy/status", "search/content/status", "hooks/event"],
  ...["git/worktree/status", "plugins/notify", "monitor_event", "leader/version_mismatch", "leader_reconnected"],
  ...["scheduled_task_created", "scheduled_task_fired", "scheduled_task_deleted", "bundle/status", "commands/list"],
].flatMap((name) => [`x.ai/${name}`, `_x.ai/${name}`]);

/** Grok Build: sets its plan mode by a standard request but lists no modes. */
export const dialect: Dialect = {
  agent: "grok",
  version: 1,
  // Another process of the user may offer to serve the session; then its profile would not apply.
  args: ["agent", "--no-leader", "stdio"],
  env: { GROK_DISABLE_AUTOUPDATER: "1" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "default", args: ["--always-approve"] },
    "full-auto": { mode: "default", args: ["--always-approve"] },
  },
  given: (options) => [modeGate(options)],
  setsMode: true,
  call: readCall,
  plainYes: "allow-once",
  endsOnDenial: true,
  extensions: extensions(() => dialect),
  quiet,
  lost: /^Path not found/,
  compact: "compact",
  login: "grok login",
};

const kinds: Readonly<Record<string, string>> = { write: "edit", edit: "edit", list: "read" };

/** Name and kind are in Grok's metadata first. The title of a request names the hook that asks. */
function readCall(call: Fields): Fields {
  const tool = fields(fields(call._meta)["x.ai/tool"]);
  const native = nonBlank(tool.kind);
  // One tool of Grok calls all tools of servers.
  const served = tool.name === "use_tool" ? nonBlank(fields(call.rawInput).tool_name) : undefined;
  const name = served ?? nonBlank(tool.name);
  const kind = call.kind ?? (native && (ownValue(kinds, native) ?? native));
  const title = nonBlank(call.title)?.replace(/ — hook '[^']*' asks: .*$/s, "");
  return { ...call, ...compact({ name, kind, title, rawOutput: servedOutput(call.rawOutput) ?? call.rawOutput }) };
}

/** The output of a server's tool, below a key for its success or failure. */
function servedOutput(raw: unknown): Fields | undefined {
  const { type, output } = fields(raw);
  const text = type === "MCP" ? Object.values(fields(output)).find((value) => typeof value === "string") : undefined;
  return text === undefined ? undefined : { output: text };
}
