import { userInfo } from "node:os";
import { join } from "node:path";
import { realPath } from "@gantry/trust";
import { credentialPaths } from "../permissions/credentials.ts";
import { isInside } from "../permissions/paths.ts";
import { namesIn } from "./repositories.ts";

/**
 * The credentials that the sandbox hides: those of the user's home folder under each of its names, and the home folders
 * of other people as a whole. `used` are folders that the command needs: a home folder around one of them stays visible,
 * without its credentials. Never throws.
 */
export function hiddenCredentials(home: string, used: readonly string[]): string[] {
  const others = ["/root", ...namesIn("/home").map((name) => join("/home", name))];
  const isUsed = (folder: string) => used.some((path) => isInside(path, [folder]));
  const own = [home, accountHome(), ...others.filter(isUsed)];
  const homes = new Set(own.flatMap((path) => (path ? [path, realPath(path)] : [])));
  homes.delete("/");
  return [...credentialPaths([...homes]), ...others.filter((path) => !homes.has(path) && !isUsed(path))];
}

/** The home folder of the account, which `HOME` may override. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
