import { type ErrorCode, errorTable } from "./codes.ts";
import type { ApiError } from "./schema.ts";

/** An expected failure with its code; servers turn it into a status, the command line into a sentence. */
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

/** The error that an answer's body carries; `undefined` when it has none that we know. */
export function errorIn(body: unknown): GantryError | undefined {
  const { code, message, remedy, details } = (body as Partial<ApiError> | null | undefined)?.error ?? {};
  if (code === undefined || !Object.hasOwn(errorTable, code) || typeof message !== "string") return undefined;
  return new GantryError(code, message, { remedy: typeof remedy === "string" ? remedy : undefined, details });
}
