import type { EventData, ToolKind } from "@gantry/protocol";
import { compact, type Fields, fields, firstLine, list, nonBlank, number } from "../../fields.ts";

/** Details of a tool call besides its name and input. */
type Described = Pick<EventData<"tool.started">, "kind" | "title" | "locations" | "mcp">;

type Row = { kind: ToolKind; title: (input: Fields) => string | undefined };

const path = (input: Fields) => nonBlank(input.file_path) ?? nonBlank(input.notebook_path) ?? nonBlank(input.path);
const titleWith =
  (verb: string, key: string): Row["title"] =>
  (input) => {
    const value = key === "path" ? path(input) : nonBlank(input[key]);
    return value && `${verb} ${firstLine(value)}`;
  };
const fixedTitle =
  (title: string): Row["title"] =>
  () =>
    title;

/** Claude Code's built-in tools. Others are `other` and keep their name. */
const rows: Record<string, Row> = {
  Bash: { kind: "execute", title: (input) => nonBlank(input.command) && firstLine(nonBlank(input.command) ?? "") },
  PowerShell: {
    kind: "execute",
    title: (input) => nonBlank(input.command) && firstLine(nonBlank(input.command) ?? ""),
  },
  BashOutput: { kind: "execute", title: fixedTitle("Read the output of a background command") },
  TaskOutput: { kind: "execute", title: fixedTitle("Read the output of a background task") },
  KillShell: { kind: "execute", title: fixedTitle("Stop a background command") },
  TaskStop: { kind: "execute", title: fixedTitle("Stop a background task") },
  Monitor: { kind: "execute", title: titleWith("Watch", "command") },
  Read: { kind: "read", title: titleWith("Read", "path") },
  NotebookRead: { kind: "read", title: titleWith("Read", "path") },
  LS: { kind: "read", title: titleWith("List", "path") },
  Write: { kind: "edit", title: titleWith("Write", "path") },
  Edit: { kind: "edit", title: titleWith("Edit", "path") },
  MultiEdit: { kind: "edit", title: titleWith("Edit", "path") },
  NotebookEdit: { kind: "edit", title: titleWith("Edit", "path") },
  Grep: { kind: "search", title: titleWith("Search for", "pattern") },
  Glob: { kind: "search", title: titleWith("Find", "pattern") },
  ToolSearch: { kind: "search", title: titleWith("Look for tools:", "query") },
  LSP: { kind: "search", title: titleWith("Look up", "operation") },
  WebFetch: { kind: "fetch", title: titleWith("Fetch", "url") },
  WebSearch: { kind: "fetch", title: titleWith("Search the web for", "query") },
  web_search: { kind: "fetch", title: titleWith("Search the web for", "query") },
  web_fetch: { kind: "fetch", title: titleWith("Fetch", "url") },
  Agent: { kind: "think", title: titleWith("Subagent:", "description") },
  Task: { kind: "think", title: titleWith("Subagent:", "description") },
  TodoWrite: { kind: "think", title: fixedTitle("Update the plan") },
  TaskCreate: { kind: "think", title: titleWith("Plan:", "subject") },
  TaskUpdate: { kind: "think", title: fixedTitle("Update the plan") },
  TaskList: { kind: "think", title: fixedTitle("Look at the plan") },
  TaskGet: { kind: "think", title: fixedTitle("Look at the plan") },
  EnterPlanMode: { kind: "switch_mode", title: fixedTitle("Start planning") },
  ExitPlanMode: { kind: "switch_mode", title: fixedTitle("Present the plan") },
  AskUserQuestion: { kind: "other", title: (input) => askTitle(input) },
  Skill: { kind: "other", title: titleWith("Skill", "skill") },
};

function askTitle(input: Fields): string | undefined {
  const question = nonBlank(fields(list(input.questions)[0]).question);
  return question && firstLine(question);
}

export function describeTool(name: string, input: Fields): Described {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const mcp = mcpName(name);
  const title = row?.title(input) ?? (mcp ? `${mcp.server}: ${mcp.tool}` : name);
  return compact({ kind: row?.kind ?? "other", title: title || "tool", locations: locations(input), mcp });
}

/** The shell command of a tool call, for approvals and grants. */
export function commandOf(name: string, input: Fields): string | undefined {
  return name === "Bash" || name === "PowerShell" ? nonBlank(input.command) : undefined;
}

function locations(input: Fields): Described["locations"] {
  const file = path(input);
  if (!file) return undefined;
  const line = number(input.offset);
  return [line === undefined ? { path: file } : { path: file, line: Math.round(line) }];
}

function mcpName(name: string): Described["mcp"] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? { server, tool } : undefined;
}
