import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { GantryError } from "@gantry/protocol";

/**
 * Writes a file in a folder of the project, which is created if missing. A link would lead the change to a file outside of
 * the project. Throws `conflict` if the file cannot be written.
 */
export function writeInProject(path: string, write: () => void): void {
  const folder = dirname(path);
  try {
    // Not recursive: below /proc, Node never returns from that.
    if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder);
    if (!lstatSync(folder).isDirectory()) throw unwritable(folder, "it is no folder");
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw unwritable(path, "it is no regular file");
    write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof GantryError) throw error;
    throw unwritable(path, (error as Error).message);
  }
}

function unwritable(path: string, reason: string): GantryError {
  return new GantryError("conflict", `${path} cannot be written: ${reason}. Nothing was changed.`, {
    remedy: "Correct it by hand first.",
  });
}
