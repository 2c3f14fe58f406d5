import type { EventData, ToolKind } from "@gantry/protocol";
import { compact, type Fields, firstLine, list, nonBlank, number, texts } from "../../fields.ts";
import { mcpTool } from "../../kit/mcp-tool.ts";
import { pathIn } from "./changes.ts";

/** Details of a tool call besides its name and input. */
export type ToolDetails = Pick<EventData<"tool.started">, "kind" | "title" | "locations" | "mcp">;

/** Tool kinds by name; the first match wins. */
const kinds: [RegExp, ToolKind, string][] = [
  [/todo|^(update_)?plan$|^task_(create|update|list|get)$/, "think", "Update the plan"],
  [/^(task|agent|oracle|delegate|subagent|invoke_agent|spawn_agent)$|^task_/, "think", "Subagent"],
  [/^exit_?(plan|spec)|^enter_?(plan|spec)|switch_?mode/, "switch_mode", "Change the mode"],
  [/web_?search|google_?web_?search|search_?the_?web/, "fetch", "Search the web for"],
  [/fetch|web_?page|^url|browser/, "fetch", "Fetch"],
  [/shell|bash|execute|exec|command|terminal|powershell|^run/, "execute", "Run"],
  [/grep|glob|search|find|^ls$|list_?dir|list_?files|code_?search/, "search", "Search for"],
  [/delete|remove|^rm$/, "delete", "Delete"],
  [/move|rename|^mv$/, "move", "Move"],
  [/write|create|edit|patch|replace|str_replace|insert/, "edit", "Edit"],
  [/read|view|cat|open|look_at/, "read", "Read"],
  [/think|reason/, "think", "Think"],
];

/** The kind, title and locations of a tool call, from its name and input. */
export function describeTool(name: string, input: Fields): ToolDetails {
  const mcp = mcpTool(name);
  const snake = (mcp?.tool ?? name).replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const [, kind = "other", verb = ""] = (mcp ? undefined : kinds.find(([pattern]) => pattern.test(snake))) ?? [];
  const title = mcp ? `${mcp.server}: ${mcp.tool}` : titleOf(kind as ToolKind, verb, name, input);
  return compact({ kind: kind as ToolKind, title: title || name || "tool", locations: locations(input), mcp });
}

/** The shell command of a call, for approvals and grants. */
export function commandOf(input: Fields): string | undefined {
  return nonBlank(input.command) ?? nonBlank(input.cmd) ?? nonBlank(texts(input.commands).join(" && "));
}

/** The exit code at the end of a shell tool's output. */
export function exitCodeIn(output: string | undefined): number | undefined {
  const found = [...(output ?? "").slice(-400).matchAll(/exit(?:ed with)?(?: exit)? ?code:?\s*(-?\d+)/gi)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}

function titleOf(kind: ToolKind, verb: string, name: string, input: Fields): string {
  if (kind === "execute") return firstLine(commandOf(input) ?? name);
  if (verb === "Update the plan" || kind === "switch_mode") return verb;
  if (verb === "Subagent")
    return firstLine(`Subagent: ${nonBlank(input.description) ?? nonBlank(input.prompt) ?? name}`);
  const what = subject(kind, input);
  return what && verb ? `${verb} ${firstLine(what)}` : name;
}

function subject(kind: ToolKind, input: Fields): string | undefined {
  const asked = nonBlank(input.pattern) ?? nonBlank(input.query) ?? nonBlank(input.url);
  return kind === "search" || kind === "fetch" ? (asked ?? pathIn(input)) : (pathIn(input) ?? asked);
}

function locations(input: Fields): ToolDetails["locations"] {
  const path = pathIn(input);
  if (!path) {
    const paths = list(input.paths).flatMap((entry) => nonBlank(entry) ?? []);
    return paths.length > 0 ? paths.map((entry) => ({ path: entry })) : undefined;
  }
  const line = number(input.offset);
  return [line === undefined || line < 1 ? { path } : { path, line: Math.round(line) }];
}
