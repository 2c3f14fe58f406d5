import type { Answers, Question } from "@gantry/protocol";
import { type InputDraft, itemId, type Step } from "../../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank, put, text } from "../../fields.ts";
import { type AgentRequest, type OpenRequest, requestKey, type State } from "../state.ts";

/** Handles an elicitation: a form, or a URL to visit. */
export function askElicitation(state: State, { id, params }: AgentRequest): Step<State> {
  const key = requestKey(id);
  const url = nonBlank(params.url);
  const message = nonBlank(params.message) ?? "The agent has a question.";
  const properties = Object.entries(fields(fields(params.requestedSchema).properties));
  const form = Object.fromEntries(properties.map(([name, field]) => [name, text(fields(field).type) ?? "string"]));
  // An elicitation for a tool call has one question per line of the message.
  const call = nonBlank(params.toolCallId);
  const lines = message.split("\n");
  const asked = call && lines.length === properties.length ? lines : [];
  const request: InputDraft = compact({
    item: call && itemId(call),
    kind: url ? "login" : call ? "question" : "elicitation",
    title: firstLine(message),
    detail: asked.length > 0 ? undefined : [message, url].filter(Boolean).join("\n"),
    questions: properties.map(([name, field], index) => question(name, fields(field), asked[index])),
    options: [
      { id: "accept", label: url ? "Done" : "Send", effect: "allow_once" },
      { id: "decline", label: "Decline", effect: "deny" },
      { id: "cancel", label: "Cancel", effect: "deny_and_stop" },
    ],
  });
  const ask: OpenRequest = { id, kind: "elicitation", form };
  return [{ ...state, asks: put(state.asks, key, ask) }, [{ kind: "ask", key, request }]];
}

function question(id: string, field: Fields, asked?: string): Question {
  const multi = field.type === "array";
  const choices = choicesOf(multi ? fields(field.items) : field);
  return compact({
    id,
    header: nonBlank(field.title),
    text: asked ?? nonBlank(field.description) ?? nonBlank(field.title) ?? id,
    options: choices,
    multi,
    freeform: choices.length === 0,
    secret: field.format === "password",
  });
}

function choicesOf(field: Fields): Question["options"] {
  if (field.type === "boolean") return [{ label: "true" }, { label: "false" }];
  const titled = [...list(field.oneOf), ...list(field.anyOf)].map(fields);
  const all = [...list(field.enum).map((value): Fields => ({ const: value })), ...titled];
  return all.flatMap((entry) => {
    const label = text(entry.const);
    return label === undefined ? [] : [compact({ label, description: nonBlank(entry.description) })];
  });
}

/** Converts the answers to the types of the form's fields. */
export function formContent(answers: Answers, types: Record<string, string>): Fields {
  return Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, toFieldType(answer, types[id])]));
}

function toFieldType(answer: string | string[], type: string | undefined): unknown {
  if (type === "array") return [answer].flat();
  const value = [answer].flat().join(", ");
  if (type === "boolean") return value === "true";
  const isNumber = (type === "number" || type === "integer") && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}
