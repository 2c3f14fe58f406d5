import { join } from "node:path";
import type { LaunchOptions } from "../../contract.ts";
import type { LaunchPart } from "../../kit/launch-parts.ts";

const FILE = "settings.json";

/** The part of Droid's built-in allow list that cannot change anything. */
const commandAllowlist = ["ls", "pwd", "dir"];

/**
 * Settings for one process, on top of the user's and the project's: their lists of commands that run without asking do not
 * count, not even in the modes that ask. Their deny lists stay in force. `inherit` leaves them alone.
 */
export function pinnedSettings({ mode, dir }: LaunchOptions): LaunchPart | undefined {
  if (mode === "inherit") return undefined;
  return { args: ["--settings", join(dir, FILE)], files: { [FILE]: JSON.stringify({ commandAllowlist }) } };
}
