import { statSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { credentialPaths, isCredential } from "@gantry/models/credential-paths";
import { GantryError, type SessionView } from "@gantry/protocol";
import { isInside, type TrustItem, trustCommand } from "@gantry/trust";
import type { Agent } from "../../agents/contract.ts";
import type { ProjectCodeTrust } from "../../agents/project/find-code.ts";
import { realPath } from "../folders.ts";

/** `home` is GANTRY_HOME, `userHome` the home folder of the agents' environment. */
export type ProtectedPlaces = { home: string; userHome: string };

const REMEDY = "Add a folder without credentials and without Gantry's data, such as a single project.";

/** The code of an added folder that the user has not trusted. */
export type WithheldCode = (folder: string) => readonly TrustItem[];

/** What added folders withhold from an agent, without what the session's own folder decides. */
export function withheldIn(
  { projectCode }: { projectCode: (agent: Agent, folder: string) => ProjectCodeTrust },
  agent: Agent,
  cwd: string,
): WithheldCode {
  const own = () => new Set(projectCode(agent, cwd).found.map(({ file }) => file));
  return (folder) => {
    const { withheld } = projectCode(agent, folder);
    if (withheld.length === 0) return [];
    const known = own();
    return withheld.filter(({ file }) => !known.has(file));
  };
}

/**
 * The real paths of the further folders of a session, without duplicates. Throws `invalid` for what is no folder,
 * `not_permitted` for a folder with credentials or Gantry's own, and `untrusted` for one with code that the user has not
 * trusted: agents also read configuration from added folders.
 */
export function resolveFolders(paths: readonly string[], places: ProtectedPlaces, withheld: WithheldCode): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    if (!isAbsolute(path)) throw new GantryError("invalid", `A folder must be an absolute path, not ${path}.`);
    const real = realPath(path);
    if (!real || !statSync(real).isDirectory()) {
      throw new GantryError("invalid", `${path} is not a folder.`, { remedy: "Create it, or pass another folder." });
    }
    const reason = refusalOf(real, places);
    if (reason) throw new GantryError("not_permitted", reason, { remedy: REMEDY });
    requireTrusted(real, withheld(real));
    folders.add(real);
  }
  return [...folders];
}

/**
 * The further folders for a process that starts now. A folder that was removed, replaced by a link (TOCTOU), or that has
 * untrusted code since, is left out; `notices` has a sentence for each.
 */
export function usableFolders(
  { folders = [], cwd }: Pick<SessionView, "folders" | "cwd">,
  places: ProtectedPlaces,
  withheld: WithheldCode,
): { folders: string[]; notices: string[] } {
  const notices: string[] = [];
  const usable = folders.filter((folder) => {
    if (isInside(folder, cwd)) return false;
    const problem = problemOf(folder, places, withheld);
    if (problem) notices.push(`The agent was started without the folder ${folder}: ${problem}`);
    return problem === undefined;
  });
  return { folders: usable, notices };
}

function problemOf(folder: string, places: ProtectedPlaces, withheld: WithheldCode): string | undefined {
  const real = realPath(folder);
  if (!real || !statSync(real, { throwIfNoEntry: false })?.isDirectory()) return "it does not exist.";
  if (real !== folder) return `it is a link to ${real} now. Add that folder instead.`;
  const refusal = refusalOf(real, places);
  if (refusal) return refusal;
  const items = withheld(real);
  return items.length > 0 ? `${listCode(items)} Look at it and decide: ${trustCommand(folder)}` : undefined;
}

/** Why no session may get the folder. Folders that contain a protected one are refused as well. */
function refusalOf(folder: string, { home, userHome }: ProtectedPlaces): string | undefined {
  const overlaps = (path: string) => isInside(folder, path) || isInside(path, folder);
  if ([home, realPath(home)].some((path) => path !== undefined && overlaps(path))) {
    return `${folder} is, contains or lies in Gantry's own folder, which holds tokens and keys.`;
  }
  const homes = [...new Set([userHome, realPath(userHome), accountHome()].filter((path) => path !== undefined))];
  const secret = credentialPaths(homes).find(overlaps);
  if (!secret && !isCredential(folder, [], userHome)) return undefined;
  return `${folder} is, contains or lies in a folder with credentials${secret ? ` (${secret})` : ""}.`;
}

function requireTrusted(folder: string, items: readonly TrustItem[]): void {
  if (items.length === 0) return;
  const details = {
    path: folder,
    items: items.map(({ kind, name, file, command }) => ({ kind, name, file, command })),
  };
  const remedy = `Look at it and decide: ${trustCommand(folder)}`;
  throw new GantryError("untrusted", `The folder ${folder} was not added: ${listCode(items)}`, { remedy, details });
}

function listCode(items: readonly TrustItem[]): string {
  const names = [...new Set(items.map(({ command }) => command))];
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `it supplies files that make the agent run code, and you have not trusted them: ${names.slice(0, 5).join(", ")}${more}.`;
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
