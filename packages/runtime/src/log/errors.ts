import { GantryError } from "@gantry/protocol";

/** The disk, or the limit set for the database, is full. The failed commit changed nothing and may be retried. */
export class StorageFullError extends GantryError {
  constructor(path: string, cause: string) {
    super(
      "storage_full",
      `There is no room to write ${path} (${cause}). This change was not saved; all earlier changes are.`,
      {
        remedy: "Free some disk space. Work resumes automatically.",
      },
    );
    this.name = "StorageFullError";
  }
}

/** Whether something failed because the disk, or the user's part of it, is full. */
export function isStorageFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return code === "storage_full" || code === "ENOSPC" || code === "EDQUOT";
}

/** The file cannot be used as our database. It was not modified. */
export class StoreUnusableError extends GantryError {
  constructor(message: string, remedy: string) {
    super("unavailable", message, { remedy });
    this.name = "StoreUnusableError";
  }
}
