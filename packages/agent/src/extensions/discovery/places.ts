import { existsSync } from "node:fs";
import { join } from "node:path";

export type ExtensionPlace = { agentDir: string; cwd: string; home: string };
export type ClaudeFiles = "off" | "project" | "all";

/** A folder or file in which extensions, commands or hooks may be. */
export type Place = {
  kind: "modules" | "commands" | "hooks";
  scope: "user" | "project";
  path: string;
  /** Files of Claude Code. */
  isClaude?: true;
};

/** Where extensions, commands and hooks are looked for. Of two commands with the same name the first wins. */
export function listPlaces({ agentDir, cwd, home }: ExtensionPlace, claude: ClaudeFiles): Place[] {
  const own = (scope: Place["scope"], folder: string): Place[] => [
    { kind: "modules", scope, path: join(folder, "extensions") },
    { kind: "commands", scope, path: join(folder, "commands") },
    { kind: "commands", scope, path: join(folder, "prompts") },
    { kind: "hooks", scope, path: join(folder, "hooks.json") },
  ];
  const ofClaude = (scope: Place["scope"], folder: string): Place[] => [
    { kind: "commands", scope, path: join(folder, "commands"), isClaude: true },
    { kind: "hooks", scope, path: join(folder, "settings.json"), isClaude: true },
    { kind: "hooks", scope, path: join(folder, "settings.local.json"), isClaude: true },
  ];
  return [
    ...own("project", join(cwd, ".gantry")),
    ...own("user", agentDir),
    ...(claude === "off" ? [] : ofClaude("project", join(cwd, ".claude"))),
    ...(claude === "all" ? ofClaude("user", join(home, ".claude")) : []),
  ].filter(({ scope, path }) => scope === "user" || !isUsersOwn(path, agentDir, home));
}

/** In the home folder, `.gantry` and `.claude` are the user's, not a project's. */
function isUsersOwn(path: string, agentDir: string, home: string): boolean {
  return [join(home, ".gantry"), join(home, ".claude"), agentDir].some((folder) => path.startsWith(`${folder}/`));
}

/** A cheap check at the start: without a match, nothing of this folder is loaded. */
export function hasExtensions(
  place: ExtensionPlace,
  settings: { extensions: readonly string[]; claudeFiles: ClaudeFiles },
): boolean {
  if (settings.extensions.length > 0 || existsSync(join(place.agentDir, "package.json"))) return true;
  return listPlaces(place, settings.claudeFiles).some(({ path }) => existsSync(path));
}
