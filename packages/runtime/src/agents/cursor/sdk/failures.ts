import { type Failure, type FailureCategory, failure } from "@gantry/protocol";
import { type Fields, fields, nonBlank, number, ownValue, text } from "../../fields.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";

/** By the class of the SDK's error. `ConfigurationError` has many causes, so its text decides. */
const byName: Record<string, FailureCategory> = {
  AuthenticationError: "auth",
  RateLimitError: "rate_limit",
  IntegrationNotConnectedError: "auth",
};

/** By the status code of Cursor's service, which precedes the message of a failed run in brackets. */
const byCode: Record<string, FailureCategory> = {
  unauthenticated: "auth",
  permission_denied: "auth",
  deadline_exceeded: "timeout",
  unavailable: "overloaded",
  internal: "overloaded",
};

const NO_KEY = "Log in, or set CURSOR_API_KEY to an API key of Cursor and restart the daemon.";

/** The failure of an error that the worker described, or of a run. */
export function sdkFailure(value: unknown, otherwise?: Failure): Failure {
  const error = fields(value);
  const message = nonBlank(error.message);
  if (message === undefined) return otherwise ?? textFailure("");
  const read = textFailure(message, number(error.status));
  const category = knownCategory(error, message) ?? read.category;
  if (category === "auth" && /API key is required/.test(message))
    return failure("auth", `Cursor has no key. ${NO_KEY}`);
  return category === read.category ? read : failure(category, message);
}

function knownCategory(error: Fields, message: string): FailureCategory | undefined {
  const code = text(error.code) ?? /^\[([a-z_]+)\]/.exec(message)?.[1];
  const known = ownValue(byName, text(error.name)) ?? ownValue(byCode, code);
  // A service that answers is not unreachable.
  if (!known && error.name === "NetworkError") return number(error.status) ? "overloaded" : "network";
  return known;
}

/** The conversation to resume does not exist. */
export function isNotFound(value: unknown): boolean {
  const { code, name, status } = fields(value);
  return code === "agent_not_found" || name === "AgentNotFoundError" || (status === 404 && name !== undefined);
}
