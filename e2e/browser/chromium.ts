import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** What to do where there is no browser, for whoever runs the tests. */
export const HOW_TO_GET_ONE =
  "Install one (Debian and Ubuntu: `apt-get install chromium`), or name it in GANTRY_CHROMIUM_BIN.";

/** The Chromium of this machine, or the one that the environment names; `undefined` where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.GANTRY_CHROMIUM_BIN) return env.GANTRY_CHROMIUM_BIN;
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return places.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
