import type { ContextPart } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, wholeNumber } from "../../fields.ts";
import type { Pass } from "./state.ts";

/** Older versions name the categories and do not give their kind. */
const KINDS_BY_NAME: readonly (readonly [RegExp, ContextPart["kind"]])[] = [
  [/\(deferred\)$/i, "deferred"],
  [/buffer$/i, "buffer"],
  [/^free space$/i, "free"],
];

/** Handles the answer to `get_context_usage`. An error or an answer without figures becomes a notice. */
export function reportContext(pass: Pass, response: Fields, error: string | undefined): void {
  const used = wholeNumber(response.totalTokens);
  if (error !== undefined || used === undefined) {
    const text = `Claude Code did not report what fills its context. ${error ?? ""}`.trim();
    return pass.event("notice", { kind: "context", severity: "warning", text });
  }
  const size = wholeNumber(response.maxTokens) ?? wholeNumber(response.rawMaxTokens);
  const parts = list(response.categories).flatMap((entry) => readPart(fields(entry)));
  pass.event("context.usage", compact({ used, size, origin: "agent", parts }));
}

function readPart(category: Fields): ContextPart[] {
  const name = nonBlank(category.name);
  const tokens = wholeNumber(category.tokens);
  return name && tokens !== undefined ? [{ name: name.slice(0, 200), tokens, kind: kindOf(category, name) }] : [];
}

function kindOf(category: Fields, name: string): ContextPart["kind"] {
  const { kind } = category;
  if (kind === "used" || kind === "deferred" || kind === "buffer" || kind === "free") return kind;
  return KINDS_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? "used";
}
