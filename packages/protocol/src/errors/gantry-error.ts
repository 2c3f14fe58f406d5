import { type ErrorCode, errorTable } from "./codes.ts";
import type { ApiError } from "./schema.ts";

/** An expected failure. The server sends its code and status; the command line prints message and remedy. */
export class GantryError extends Error {
  readonly code: ErrorCode;
  readonly remedy?: string;
  readonly details?: unknown;

  constructor(code: ErrorCode, message: string, more: { remedy?: string; details?: unknown } = {}) {
    super(message);
    this.name = "GantryError";
    this.code = code;
    this.remedy = more.remedy;
    this.details = more.details;
  }

  get status(): number {
    return errorTable[this.code];
  }

  toJSON(): ApiError {
    return { error: { code: this.code, message: this.message, remedy: this.remedy, details: this.details } };
  }
}

/** Reads an error from a response body; `undefined` if the body is not an error with a known code. */
export function errorIn(body: unknown): GantryError | undefined {
  const { code, message, remedy, details } = (body as Partial<ApiError> | null | undefined)?.error ?? {};
  if (code === undefined || !Object.hasOwn(errorTable, code) || typeof message !== "string") return undefined;
  return new GantryError(code, message, { remedy: typeof remedy === "string" ? remedy : undefined, details });
}
