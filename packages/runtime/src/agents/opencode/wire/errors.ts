import { type Failure, failure } from "@gantry/protocol";
import { type Fields, fields, number, text } from "../../fields.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";

/** The failure in an error of OpenCode's: `{name, data: {message, statusCode}}`. The name tells where it is clear. */
export function errorFailure(error: Fields): Failure {
  const { message, statusCode } = fields(error.data);
  const told = wordsFailure(text(message) ?? text(error.name) ?? "", number(statusCode));
  if (error.name === "ContextOverflowError") return failure("context_overflow", told.message);
  return error.name === "ProviderAuthError" ? failure("auth", told.message) : told;
}

export function isAborted(error: Fields): boolean {
  return error.name === "MessageAbortedError";
}
