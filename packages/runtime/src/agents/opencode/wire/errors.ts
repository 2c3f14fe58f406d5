import { type Failure, failure } from "@gantry/protocol";
import { type Fields, fields, number, text } from "../../fields.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";

/** The failure of an OpenCode error: `{name, data: {message, statusCode}}`. Specific names decide. */
export function errorFailure(error: Fields): Failure {
  const { message, statusCode } = fields(error.data);
  const reported = textFailure(text(message) ?? text(error.name) ?? "", number(statusCode));
  if (error.name === "ContextOverflowError") return failure("context_overflow", reported.message);
  return error.name === "ProviderAuthError" ? failure("auth", reported.message) : reported;
}

export function isAborted(error: Fields): boolean {
  return error.name === "MessageAbortedError";
}
