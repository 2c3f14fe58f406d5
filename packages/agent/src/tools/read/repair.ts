import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { ToolError, type ToolPlace } from "../../contract/tool.ts";
import { realPath, resolvePath } from "../disk/path.ts";

const PATIENCE_MS = 1500;

/**
 * Resolves a path that does not exist: to the only file in the session's folder whose path ends with it. Runs before the
 * permission check, so that the permitted file is the one that is read.
 */
export function repairedPath(path: string, place: ToolPlace): string {
  const wanted = resolvePath(path, place);
  if (existsSync(wanted)) return wanted;
  const suffix = path.replace(/^(\.{0,2}\/)+/, "");
  const candidates = suffix && !suffix.startsWith("~") ? endingWith(suffix, place.cwd) : [];
  if (candidates.length === 1) return candidates[0]!;
  if (candidates.length > 1) {
    const names = candidates.slice(0, 8).map((one) => one.slice(place.cwd.length + 1));
    throw new ToolError(`${path} does not exist. Similar paths:\n${names.join("\n")}`);
  }
  realPath(wanted);
  return wanted;
}

function endingWith(suffix: string, folder: string): string[] {
  const glob = `**/${suffix.replace(/[*?[\]{}\\!]/g, "\\$&")}`;
  const found = spawnSync(
    rgPath,
    ["--no-config", "--files", "--null", "--hidden", "-g", "!.git", "--iglob", glob, "."],
    {
      cwd: folder,
      timeout: PATIENCE_MS,
      maxBuffer: 1024 * 1024,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  if (found.error || found.status !== 0) return [];
  const names = found.stdout.toString("utf8").split("\0").filter(Boolean);
  return names
    .map((name) => join(folder, name))
    .filter((name) => name.toLowerCase().endsWith(sep + suffix.toLowerCase()));
}
