import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { GantryError } from "@gantry/protocol";
import { failureText } from "../updates/translator.ts";
import type { TurnEnd } from "../updates/update.ts";

const PARAMS: readonly string[] = [
  "invalid",
  "bad_request",
  "no_such_agent",
  "outside_folder",
  "unsupported",
  "too_large",
];

/** JSON-RPC's code for a resource that does not exist. */
const NOT_FOUND = -32002;

/** An error of the daemon as an error of the protocol: what happened and what to do, and the code for programs. */
export function toRequestError(error: unknown): unknown {
  if (!(error instanceof GantryError)) return error;
  const { code, message, remedy, details } = error;
  const text = remedy ? `${message} ${remedy}` : message;
  const data = { gantry: { code, ...(details === undefined ? {} : { details }) } };
  if (code === "no_such_session" || code === "session_ended") return new RequestError(NOT_FOUND, text, data);
  if (code === "unauthorized" || code === "not_permitted") return new RequestError(-32000, text, data);
  return new RequestError(PARAMS.includes(code) ? -32602 : -32603, text, data);
}

/** The error of a prompt whose turn failed. */
export function turnError({ failure }: TurnEnd): RequestError {
  const { category, message, remedy = "", resetsAt } = failure ?? { category: "unknown", message: "The turn failed." };
  const text = failureText({ message, remedy, resetsAt });
  const data = { gantry: { category, ...(resetsAt ? { resetsAt } : {}) } };
  return new RequestError(category === "auth" ? -32000 : -32603, text, data);
}
