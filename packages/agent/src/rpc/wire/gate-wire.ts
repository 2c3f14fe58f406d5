import type { Gate } from "../../gates/store.ts";

/** `options` are texts that an answer may carry. */
export type WireGate = Omit<Gate, "options"> & { options?: string[] };

/**
 * A gate as clients read it. Published clients accept only texts in `options`, and stop reading at anything else.
 * Each text is a value that the answer may carry: a choice of the question, or a decision. `context.choices` has the
 * choices complete: the value, its label and its description.
 */
export function gateOnWire({ options = [], ...gate }: Gate): WireGate {
  if (options.length === 0) return gate;
  const texts = options.map(({ value }) => textOf(value)).filter((text) => text !== undefined);
  return {
    ...gate,
    ...(texts.length === options.length ? { options: texts } : {}),
    context: { ...gate.context, choices: options },
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const decision = typeof value === "object" && value !== null ? (value as { decision?: unknown }).decision : undefined;
  return typeof decision === "string" ? decision : undefined;
}
