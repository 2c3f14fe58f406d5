import type { Output } from "../../../agents/contract.ts";

/** Longer texts in events, inputs and failures are cut; what a person reads is shorter. */
export const MAX_TEXT = 16 * 1024;
/** Longer plans are cut. A person approves the whole plan, so it must be shown. */
const MAX_PLAN = 256 * 1024;
/** Longer lists, such as those of commands, are cut. */
const MAX_ENTRIES = 2000;

/** Fields of tool events whose large texts are spilled to blobs. */
const SPILLED = new Set(["input", "output", "structured", "progress", "changes", "diff"]);
/** Events that hold the text of the conversation, or a frame that is spilled. */
const WHOLE = new Set<string>(["message.done", "reasoning.done", "raw", "plan.updated"]);

/** A copy of an output with its texts and lists cut to their limits; the same output when all are within their limits. */
export function boundOutput(output: Output): Output {
  switch (output.kind) {
    case "event":
      return WHOLE.has(output.event.type) ? output : bound(output);
    case "ask":
      return bound(output, output.request.kind === "plan" ? MAX_PLAN : MAX_TEXT);
    case "plan":
      return bound(output, MAX_PLAN);
    case "finish":
    case "lost":
    case "applied":
    case "retry":
    case "activity":
    case "controls":
    case "withdrawn":
      return bound(output);
    default:
      return output;
  }
}

function bound<T>(value: T, longest = MAX_TEXT): T {
  if (typeof value === "string") return (value.length > longest ? cut(value, longest) : value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value.length > MAX_ENTRIES ? value.slice(0, MAX_ENTRIES) : value;
    const bounded = entries.map((entry) => bound(entry, longest));
    const isSame = entries === value && bounded.every((entry, index) => entry === value[index]);
    return isSame ? value : (bounded as T);
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const entry: unknown = value[key];
    const bounded = SPILLED.has(key) ? entry : bound(entry, longest);
    if (bounded !== entry) copy = { ...(copy ?? value), [key]: bounded };
  }
  return (copy as T | undefined) ?? value;
}

function cut(text: string, longest: number): string {
  return `${text.slice(0, longest)}… (${text.length - longest} more characters)`;
}
