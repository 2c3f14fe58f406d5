import { createHash } from "node:crypto";
import { asArray, asObject, asObjects, asText, type Json, parseJson } from "../../json.ts";

/** What a server holds of a conversation: the input of the last response, as hashes, and its output. */
export type ServerState = { responseId: string; fields: string; input: readonly string[]; output: readonly Json[] };

/** The state after a response to this body. */
export function stateAfter(body: Json, responseId: string, output: readonly Json[]): ServerState {
  return { responseId, fields: fieldsOf(body), input: asArray(body.input).map(hash), output };
}

/**
 * The body that continues the server's state, with new items only. `undefined`: the conversation is not a continuation
 * (another model or tools, an edited or compacted history), so the whole of it must be sent.
 */
export function continuationOf(body: Json, state: ServerState): Json | undefined {
  if (fieldsOf(body) !== state.fields) return undefined;
  const items = asObjects(body.input);
  const { length } = state.input;
  if (state.input.some((item, at) => hash(items[at]) !== item)) return undefined;
  const known = matchOutput(items.slice(length), state.output);
  const rest = known === undefined ? [] : items.slice(length + known);
  return rest.length === 0 ? undefined : { ...body, input: rest, previous_response_id: state.responseId };
}

function fieldsOf(body: Json): string {
  const { input: _input, ...fields } = body;
  return hash(fields);
}

function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("base64");
}

/**
 * How many of the items repeat the output. Reasoning may be missing among them: the server has it. Calls and messages
 * must all be there, otherwise the history was edited.
 */
function matchOutput(items: readonly Json[], output: readonly Json[]): number | undefined {
  let at = 0;
  for (const made of output) {
    const item = items[at];
    if (item && isSame(item, made)) at++;
    else if (made.type !== "reasoning") return undefined;
  }
  return at;
}

function isSame(item: Json, made: Json): boolean {
  if (item.type !== made.type) return false;
  if (made.type === "reasoning") return item.id === made.id;
  if (made.type === "message") return textOf(item) === textOf(made);
  if (made.type !== "function_call") return false;
  return item.call_id === made.call_id && item.name === made.name && hasSameArguments(item, made);
}

function textOf(message: Json): string {
  return asObjects(message.content)
    .map((part) => asText(part.text) || asText(part.refusal))
    .join("");
}

/** The transcript lacks arguments that are null or that only the agent uses, so each of its arguments must be equal. */
function hasSameArguments(item: Json, made: Json): boolean {
  const theirs = parseJson(asText(made.arguments));
  return includes(theirs, parseJson(asText(item.arguments)));
}

function includes(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && whole.length === part.length && part.every((each, at) => includes(whole[at], each));
  }
  if (typeof part !== "object" || part === null) return whole === part;
  return Object.entries(part).every(([key, value]) => includes(asObject(whole)[key], value));
}
