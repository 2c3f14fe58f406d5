import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Opens an address in the user's browser: `BROWSER`, or the opener of the system. Returns false if there is none. The
 * browser outlives the command.
 */
export async function openBrowser(url: string, env: Record<string, string | undefined>): Promise<boolean> {
  for (const program of openers(env)) {
    if (isInstalled(program, env) && (await start(program, url, env))) return true;
  }
  return false;
}

function openers({ BROWSER }: Record<string, string | undefined>): string[] {
  const system = process.platform === "darwin" ? ["open"] : ["xdg-open", "wslview"];
  return BROWSER ? [...BROWSER.split(delimiter).filter(Boolean), ...system] : system;
}

function isInstalled(program: string, { PATH = "" }: Record<string, string | undefined>): boolean {
  const paths = program.includes("/") ? [program] : PATH.split(delimiter).map((folder) => join(folder, program));
  return paths.some((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Resolves when the program has started. Its exit is not awaited: a browser without a running instance stays. */
function start(program: string, url: string, env: Record<string, string | undefined>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: "ignore", env: env as NodeJS.ProcessEnv });
    child.on("error", () => resolve(false));
    child.on("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
