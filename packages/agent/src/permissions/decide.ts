import type { Action, PermissionMode, Verdict } from "./action.ts";
import { isCredential, isSecretPath } from "./credentials.ts";
import { type Environment, gantryFolders, isGantryPath, isGantrySecret } from "./gantry-folders.ts";
import { isGitData } from "./git-folders.ts";
import { type Grant, isGranted } from "./grants.ts";
import { isInside } from "./paths.ts";
import { isProcessFile } from "./process-files.ts";

/** From the strictest to the freest. Each mode allows everything that the modes before it allow. */
export const PERMISSION_MODES: readonly PermissionMode[] = ["plan", "ask", "auto-edit", "full-auto"];

export type DecideSettings = {
  /** Whether a person can be asked. Without one, actions that need a question are denied. */
  person: boolean;
  /** Further folders in which writing is free from `auto-edit` on, such as the folder for temporary files. */
  scratch?: readonly string[];
};

/** `env` locates Gantry's own folders. */
export type DecidePlace = { cwd: string; folders: readonly string[]; env?: Environment };

/**
 * Decides whether these actions may happen. Pure. The strictest verdict wins: one denied action denies all. A grant turns
 * `ask` into `allow`, but never overrides a denial by the mode.
 */
export function decide(
  mode: PermissionMode,
  actions: readonly Action[],
  place: DecidePlace,
  grants: readonly Grant[],
  settings: DecideSettings,
): Verdict {
  const verdicts = actions.map((action) => decideOne(mode, action, place, grants, settings));
  const denied = verdicts.find(({ verdict }) => verdict === "deny");
  if (denied) return denied;
  const asked = actions.find((_, at) => verdicts[at]?.verdict === "ask");
  if (!asked) return { verdict: "allow" };
  if (settings.person) return { verdict: "ask" };
  return { verdict: "deny", reason: `No person is available to allow it (mode ${mode}): ${describeAction(asked)}.` };
}

type Leaning = "allow" | "ask" | "deny";

function decideOne(
  mode: PermissionMode,
  action: Action,
  place: DecidePlace,
  grants: readonly Grant[],
  { scratch = [] }: DecideSettings,
): Verdict {
  const leaning = decideAction(mode, action, place, scratch);
  if (leaning === "deny") {
    return {
      verdict: "deny",
      reason: `Plan mode only reads: ${describeAction(action)} is possible after plan mode ends.`,
    };
  }
  return { verdict: leaning === "ask" && isGranted(action, grants) ? "allow" : leaning };
}

function decideAction(mode: PermissionMode, action: Action, place: DecidePlace, scratch: readonly string[]): Leaning {
  const inside = [place.cwd, ...place.folders];
  switch (action.kind) {
    case "inner":
    case "agent.spawn":
    case "host_uri.read":
    case "bash.readonly":
      return "allow";
    case "file.read":
      if (isGantrySecret(action.path, gantryFolders(place.env ?? {}), inside)) return "ask";
      if (isCredential(action.path, inside, place.env?.HOME)) return "ask";
      if (!isSecretPath(action.path) && !isProcessFile(action.path)) return "allow";
      return isInside(action.path, inside) || mode === "full-auto" ? "allow" : "ask";
    case "file.write":
    case "file.delete":
      if (isGantryPath(action.path, gantryFolders(place.env ?? {}), inside)) return byMode(mode, undefined);
      if (isCredential(action.path, inside, place.env?.HOME)) return byMode(mode, undefined);
      if (!isInside(action.path, [...inside, ...scratch])) return byMode(mode, undefined);
      return byMode(mode, isGitData(action.path, inside) ? "full-auto" : "auto-edit");
    case "net.fetch":
      return action.ruled || mode === "full-auto" ? "allow" : "ask";
    case "mcp.call":
      return action.readonly ? "allow" : byMode(mode, "full-auto");
    case "bash.destructive":
      return byMode(mode, action.inside ? "full-auto" : undefined);
    case "git.force_push":
      return byMode(mode, undefined);
    case "bash.mutating":
    case "code.run":
      return byMode(mode, "full-auto");
    case "host_tool.invoke":
    case "host_uri.write":
      // The host runs the tool itself, and the host is also where the question would go.
      return byMode(mode, "ask");
  }
}

/** For changes: denied in plan mode, free from this mode on, asked in between. */
function byMode(mode: PermissionMode, freeFrom: PermissionMode | undefined): Leaning {
  if (mode === "plan") return "deny";
  return freeFrom && PERMISSION_MODES.indexOf(mode) >= PERMISSION_MODES.indexOf(freeFrom) ? "allow" : "ask";
}

/** A short description of the action, for people and models. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case "inner":
      return "a change of the conversation";
    case "file.read":
    case "file.write":
    case "file.delete":
      return `${{ "file.read": "reading", "file.write": "writing", "file.delete": "deleting" }[action.kind]} ${action.path}`;
    case "bash.readonly":
    case "bash.mutating":
      return `running \`${shortenText(action.command)}\``;
    case "bash.destructive":
      return `running \`${shortenText(action.command)}\`, which destroys something`;
    case "git.force_push":
      return `a forced push (\`${shortenText(action.command)}\`)`;
    case "code.run":
      return `running ${action.language} code`;
    case "net.fetch":
      return `fetching ${action.url}`;
    case "mcp.call":
      return `calling ${action.tool} of the MCP server ${action.server}`;
    case "host_tool.invoke":
      return `calling the host's tool ${action.tool}`;
    case "host_uri.read":
    case "host_uri.write":
      return `${action.kind === "host_uri.read" ? "reading" : "writing"} ${action.url}`;
    case "agent.spawn":
      return `starting the agent ${action.agent}`;
  }
}

function shortenText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
