import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Requirement } from "@gantry/testkit";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Shown when the tests find no browser. */
export const HOW_TO_GET_ONE =
  "Install Chromium (Debian and Ubuntu: `apt-get install chromium`), or set GANTRY_CHROMIUM_BIN to its path.";

/** The path of Chromium: from GANTRY_CHROMIUM_BIN or the PATH; `undefined` if there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.GANTRY_CHROMIUM_BIN) return env.GANTRY_CHROMIUM_BIN;
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Tests of the page run in a real browser and are skipped where there is none. */
export const CHROMIUM: Requirement = {
  met: findChromium() !== undefined,
  reason: `Chromium was not found. ${HOW_TO_GET_ONE}`,
};
