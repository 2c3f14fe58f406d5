import type { Dialect } from "../acp/dialect.ts";
import { contentText } from "../acp/wire/content.ts";
import { compact, type Fields, fields, text } from "../fields.ts";

/**
 * Hermes, based on the source of its `acp_adapter`. It asks for edits by mode, and for commands only if they look
 * dangerous, unless started to allow all. Command output is one line of a list.
 */
export const dialect: Dialect = {
  agent: "hermes",
  version: 1,
  args: ["acp"],
  // Without a terminal Hermes skips the user's own hooks, which may block calls, unless this accepts them.
  env: { HERMES_ACCEPT_HOOKS: "1" },
  rungs: {
    // The user's environment may have it set.
    ask: { mode: "default", env: { HERMES_YOLO_MODE: "" } },
    "auto-edit": { mode: "accept_edits", env: { HERMES_YOLO_MODE: "" } },
    "full-auto": { mode: "dont_ask", env: { HERMES_YOLO_MODE: "1" } },
  },
  toolName: { in: "title", pattern: /^(\w+)(?:: |$)/ },
  printed: /^terminal result\n(?:- \*\*output:\*\* (?<output>[\s\S]*?)(?:\n|$))?- \*\*exit_code:\*\* (?<exit>\d+)/,
  call: normaliseCall,
  // `session/resume` of a missing conversation silently opens another one.
  loads: true,
  emptyIsLost: true,
  failureText: /^Error: /,
  failures: [[/exceeded your current quota/i, "quota"]],
  subagentTool: "delegate_task",
  compact: "compact",
  login: "hermes setup",
};

/**
 * Normalises a call: extracts its input from the text. A permission request uses another id and refers to the newest
 * open call of the same kind.
 */
function normaliseCall(call: Fields, open: Record<string, { kind: string }>): Fields {
  if (!/^(edit-approval|perm-check)-\d+$/.test(text(call.toolCallId) ?? ""))
    return compact({ ...call, ...inputOf(call) });
  const [native] = Object.entries(open).findLast(([, { kind }]) => kind === call.kind) ?? [];
  const { tool, arguments: input, command } = fields(call.rawInput);
  const edit = text(call.title)?.replace(/^Approve edit/, text(tool) ?? "edit");
  const title = command === undefined ? edit : `terminal: ${text(command)}`;
  return compact({ ...call, toolCallId: native ?? call.toolCallId, title, rawInput: input ?? call.rawInput });
}

/** A command is announced as `$ command`, a subagent task by its title. */
function inputOf({ title, content, sessionUpdate }: Fields): { rawInput?: Fields } {
  if (sessionUpdate !== "tool_call") return {};
  const command = /^\$ ([\s\S]+)$/.exec(contentText(content) ?? "")?.[1];
  if (command) return { rawInput: { command } };
  const description = /^delegate_task: (.+)$/s.exec(text(title) ?? "")?.[1];
  return description ? { rawInput: { description } } : {};
}
