/** A tool's input as fields that a person can edit: texts as they are, everything else as JSON. */
export type EditedField = { name: string; kind: "text" | "json"; value: string };

/** Fields of an input; `undefined` for one that has none to edit. */
export function fieldsOf(input: unknown): EditedField[] | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const fields = Object.entries(input).map(([name, value]): EditedField => {
    if (typeof value === "string") return { name, kind: "text", value };
    return { name, kind: "json", value: JSON.stringify(value, null, 2) ?? "" };
  });
  return fields.length > 0 ? fields : undefined;
}

/** The input that the fields stand for, or the name of the field that is not valid JSON. */
export function inputOf(fields: readonly EditedField[]): { input: Record<string, unknown> } | { wrong: string } {
  const input: Record<string, unknown> = {};
  for (const { name, kind, value } of fields) {
    if (kind === "text") input[name] = value;
    else {
      try {
        input[name] = JSON.parse(value);
      } catch {
        return { wrong: name };
      }
    }
  }
  return { input };
}
