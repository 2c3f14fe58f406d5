import { GantryError } from "@gantry/protocol";

const REMEDY = "Export the session again on its machine, and copy the whole file.";

/** For files that fail verification. Nothing has been written at that point. */
export function damagedFileError(what: string, remedy = REMEDY): GantryError {
  return new GantryError("damaged_file", `The file cannot be imported: ${what}. Nothing was changed.`, { remedy });
}

export function newerFileError(version: number, gantry: string): GantryError {
  return new GantryError(
    "unsupported",
    `Gantry ${gantry} wrote the file in format ${version}, which this version does not support. Nothing was changed.`,
    { remedy: "Update Gantry, then import the file again." },
  );
}
