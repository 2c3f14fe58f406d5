import { GantryError } from "@gantry/protocol";

/** The disk, or the limit set for the database, is full. Nothing of the failed commit was kept; it may be tried again. */
export class StorageFullError extends GantryError {
  constructor(path: string, cause: string) {
    super(
      "storage_full",
      `There is no room to write ${path} (${cause}). The change was not made; all earlier ones are kept.`,
      {
        remedy: "Free some disk space; work goes on by itself as soon as there is room.",
      },
    );
    this.name = "StorageFullError";
  }
}

/** The file cannot be used as our database. It was left exactly as it is. */
export class StoreUnusableError extends GantryError {
  constructor(message: string, remedy: string) {
    super("unavailable", message, { remedy });
    this.name = "StoreUnusableError";
  }
}
