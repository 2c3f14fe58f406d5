/** One editable field of a tool's input: strings as text, everything else as JSON. */
export type InputField = { name: string; kind: "text" | "json"; value: string };

/** The editable fields of an input; `undefined` if it has none. */
export function toFields(input: unknown): InputField[] | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const fields = Object.entries(input).map(([name, value]): InputField => {
    if (typeof value === "string") return { name, kind: "text", value };
    return { name, kind: "json", value: JSON.stringify(value, null, 2) ?? "" };
  });
  return fields.length > 0 ? fields : undefined;
}

/** The input from its fields, or the name of the field that is not valid JSON. */
export function fromFields(fields: readonly InputField[]): { input: Record<string, unknown> } | { invalid: string } {
  const input: Record<string, unknown> = {};
  for (const { name, kind, value } of fields) {
    if (kind === "text") input[name] = value;
    else {
      try {
        input[name] = JSON.parse(value);
      } catch {
        return { invalid: name };
      }
    }
  }
  return { input };
}
