import type { Answers, Question } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, text, texts } from "../../../fields.ts";

/** An MCP form as questions, with the type of each field. */
export function formOf(schema: Fields): { questions: Question[]; types: Record<string, string> } {
  const properties = Object.entries(fields(schema.properties));
  const types = Object.fromEntries(properties.map(([id, field]) => [id, text(fields(field).type) ?? "string"]));
  return { questions: properties.map(([id, field]) => question(id, fields(field))), types };
}

function question(id: string, field: Fields): Question {
  const multi = field.type === "array";
  const choices = choicesOf(multi ? fields(field.items) : field);
  return compact({
    id,
    header: nonBlank(field.title),
    text: nonBlank(field.description) ?? nonBlank(field.title) ?? id,
    options: choices.map((label) => ({ label })),
    multi,
    freeform: choices.length === 0,
    secret: field.format === "password",
  });
}

function choicesOf(field: Fields): string[] {
  if (field.type === "boolean") return ["true", "false"];
  const titled = [...list(field.oneOf), ...list(field.anyOf)].map((entry) => text(fields(entry).const));
  const plain = texts(field.enum);
  return plain.length > 0 ? plain : titled.filter((value): value is string => value !== undefined);
}

/** Converts the answers to the types of the form's fields. */
export function formContent(answers: Answers, types: Record<string, string>): Fields {
  return Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, toFieldType(answer, types[id])]));
}

function toFieldType(answer: string | string[], type: string | undefined): unknown {
  if (type === "array") return Array.isArray(answer) ? answer : [answer];
  const value = Array.isArray(answer) ? answer.join(", ") : answer;
  if (type === "boolean") return value === "true";
  const isNumber = (type === "number" || type === "integer") && value.trim() !== "" && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}
