import { plainText } from "@gantry/protocol";

/** A summary as a model gave it, in one line; `undefined` for one that is empty or too long. */
export function validSummary(text: string, longest: number): string | undefined {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  return line === "" || line.length > longest ? undefined : line;
}
