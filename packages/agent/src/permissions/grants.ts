import { dirname } from "node:path";
import type { Action } from "./action.ts";
import { isCredential } from "./credentials.ts";
import { isGitData } from "./git-folders.ts";
import { coversCommand } from "./granted-command.ts";
import { isInside } from "./paths.ts";

/** A permission that a person gave for the rest of a session: a kind of action and its extent. */
export type Grant = {
  kind: Action["kind"];
  /** For files: this path and everything under it. */
  path?: string;
  /** For commands: this text, alone or followed by plain operands. */
  command?: string;
  /** For all others: exactly this tool, server tool, origin or agent. */
  subject?: string;
};

const EXACT = new Set<Action["kind"]>(["bash.destructive", "git.force_push"]);

/** The grants that "for the whole session" creates for these actions. */
export function grantsFor(actions: readonly Action[]): Grant[] {
  return actions.flatMap((action): Grant[] => {
    if (action.kind === "inner") return [];
    if ("path" in action)
      return [{ kind: action.kind, path: action.kind === "file.read" ? action.path : dirname(action.path) }];
    if ("command" in action) return [{ kind: action.kind, command: action.command }];
    return [{ kind: action.kind, subject: subjectOf(action) }];
  });
}

export function isGranted(action: Action, grants: readonly Grant[]): boolean {
  return grants.some((grant) => {
    if (grant.kind !== action.kind) return false;
    if ("path" in action) return grant.path !== undefined && coversPath(grant.path, action);
    if ("command" in action) return grant.command !== undefined && covers(grant.command, action);
    return grant.subject !== undefined && grant.subject === subjectOf(action);
  });
}

/** A grant for a folder does not cover the git data and the credentials in it. */
function coversPath(granted: string, action: Extract<Action, { path: string }>): boolean {
  if (!isInside(action.path, [granted])) return false;
  if (isCredential(action.path) && !isCredential(granted)) return false;
  return action.kind === "file.read" || isGitData(granted, []) || !isGitData(action.path, []);
}

function covers(granted: string, action: { kind: Action["kind"]; command: string }): boolean {
  return EXACT.has(action.kind) ? action.command === granted : coversCommand(granted, action.command);
}

function subjectOf(action: Action): string {
  switch (action.kind) {
    case "mcp.call":
      return `${action.server}/${action.tool}`;
    case "host_tool.invoke":
      return action.tool;
    case "agent.spawn":
      return action.agent;
    case "net.fetch":
    case "host_uri.read":
    case "host_uri.write":
      return URL.canParse(action.url) ? `${new URL(action.url).protocol}//${new URL(action.url).host}` : action.url;
    case "code.run":
      return action.language;
    default:
      return "";
  }
}
