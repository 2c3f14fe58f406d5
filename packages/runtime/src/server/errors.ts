import { randomBytes } from "node:crypto";
import { type ApiError, GantryError } from "@gantry/protocol";
import { isStorageFull } from "../log/errors.ts";

/** The log entry of an internal error. The client gets only `reference`. */
export type Fault = { reference: string; text: string };

/** The answer for anything that was thrown. Only a `GantryError` speaks to the caller; all else is a fault. */
export function describeError(error: unknown): { status: number; body: ApiError; fault?: Fault } {
  const known = toGantryError(error);
  if (known) return { status: known.status, body: known.toJSON() };
  const reference = `err_${randomBytes(6).toString("hex")}`;
  const hidden = new GantryError("internal", `Something went wrong inside the daemon (${reference}).`, {
    remedy: `Search the daemon's log for ${reference}.`,
  });
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: hidden.status, body: hidden.toJSON(), fault: { reference, text } };
}

function toGantryError(error: unknown): GantryError | undefined {
  if (error instanceof GantryError) return error;
  if (isStorageFull(error))
    return new GantryError("storage_full", "The disk is full; nothing was changed.", {
      remedy: "Free some space, then try again.",
    });
  if ((error as NodeJS.ErrnoException | undefined)?.code !== "EROFS") return undefined;
  return new GantryError("unavailable", "The file system is read-only; nothing was changed.", {
    remedy: "Make it writable, then try again.",
  });
}
