import type { Answers, InputAnswer, InputRequest, Question } from "@gantry/protocol";

/** A field of a form, as both protocol versions define it. */
export type FormField =
  | {
      type: "string";
      title: string;
      description?: string;
      oneOf?: { const: string; title: string; description?: string }[];
    }
  | {
      type: "array";
      title: string;
      description?: string;
      items: { anyOf: { const: string; title: string; description?: string }[] };
    };

export type Form = {
  message: string;
  schema: { type: "object"; properties: Record<string, FormField>; required: string[] };
};

/** The suffix of the field for an answer that is not among the options. */
const OTHER = "_other";

/** The questions of an input as a form. */
export function formFor(input: InputRequest): Form {
  const properties: Record<string, FormField> = {};
  const required: string[] = [];
  input.questions.forEach((question, place) => {
    const name = fieldOf(place);
    const isOpen = question.freeform || question.options.length === 0;
    properties[name] = fieldFor(question);
    if (question.options.length > 0 && isOpen)
      properties[`${name}${OTHER}`] = { type: "string", title: "Another answer" };
    else required.push(name);
  });
  return {
    message: [input.title, input.detail].filter(Boolean).join("\n\n"),
    schema: { type: "object", properties, required },
  };
}

/** The answer in a form that was filled in. `undefined`: a question has no answer. */
export function readForm(input: InputRequest, content: Record<string, unknown>): InputAnswer | undefined {
  const answers: Answers = {};
  for (const [place, question] of input.questions.entries()) {
    const other = textOf(content[`${fieldOf(place)}${OTHER}`]);
    const chosen = valuesOf(content[fieldOf(place)]);
    const all = other === undefined ? chosen : question.multi ? [...chosen, other] : [other];
    if (all.length === 0) return undefined;
    answers[question.id] = question.multi ? all : (all[0] ?? "");
  }
  return { decision: "allow", answers };
}

function fieldFor({ text, header, options, multi }: Question): FormField {
  const title = header ?? text;
  const description = header ? { description: text } : {};
  const choices = options.map(({ label, description: about }) => ({
    const: label,
    title: label,
    ...(about ? { description: about } : {}),
  }));
  if (choices.length === 0) return { type: "string", title, ...description };
  if (multi) return { type: "array", title, ...description, items: { anyOf: choices } };
  return { type: "string", title, ...description, oneOf: choices };
}

/** Names of fields are made here: ids of questions may have any characters. */
function fieldOf(place: number): string {
  return `question_${place + 1}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function valuesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
}
