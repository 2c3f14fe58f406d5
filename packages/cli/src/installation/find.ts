import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Where the running Gantry lives. `root`: the folder of the clone or of the installed package. `launcher`: the command that
 * starts it, also after an upgrade. `global`: installed with `npm install -g`; `prefix` is npm's folder for it.
 */
export type Installation =
  | { kind: "clone" | "other"; root: string; launcher: string }
  | { kind: "global"; root: string; launcher: string; prefix: string };

/** Finds the installation that a file belongs to. Throws if there is none, which would be a fault of the package. */
export function findInstallation(from: string = import.meta.dirname): Installation {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest?.name !== "gantry") continue;
    if (manifest.workspaces) return { kind: "clone", root: folder, launcher: join(folder, "gantry") };
    return findPackage(folder);
  }
  throw new Error(`No package.json of Gantry was found above ${from}.`);
}

function findPackage(root: string): Installation {
  const own = join(root, "bin", "gantry");
  const modules = dirname(root);
  if (basename(modules) === "node_modules" && basename(dirname(modules)) === "lib") {
    const prefix = dirname(dirname(modules));
    const launcher = join(prefix, "bin", "gantry");
    if (existsSync(launcher) && realpathSync(launcher) === realpathSync(own))
      return { kind: "global", root, launcher, prefix };
  }
  return { kind: "other", root, launcher: own };
}

function readManifest(folder: string): { name?: string; workspaces?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
