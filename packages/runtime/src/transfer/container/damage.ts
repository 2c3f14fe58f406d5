import { GantryError } from "@gantry/protocol";

const REMEDY = "Export the session once more where it is, and copy the file in full.";

/** Nothing was changed: every file is checked to its end before anything of it is written. */
export function damaged(what: string, remedy = REMEDY): GantryError {
  return new GantryError("damaged_file", `The file cannot be imported: ${what}. Nothing was changed.`, { remedy });
}

export function newer(version: number, gantry: string): GantryError {
  return new GantryError(
    "unsupported",
    `The file was written by Gantry ${gantry} in format ${version}, which this one does not know. Nothing was changed.`,
    { remedy: "Update this Gantry, then import it again." },
  );
}
