import { randomBytes } from "node:crypto";
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file of the home folder: all or nothing, readable by the user alone, through a link to where it really is. */
export function replaceFile(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
