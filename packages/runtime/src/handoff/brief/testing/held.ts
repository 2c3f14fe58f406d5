import type { Envelope, Receipt } from "@gantry/protocol";

/** Wrong sources of a brief: lines that are not in it, and events that do not contain the quote. */
export function findWrongSources(brief: string, receipts: readonly Receipt[], log: readonly Envelope[]): string[] {
  const lines = new Set(brief.split("\n"));
  return receipts.flatMap(({ line, seq, quote }) => {
    const event = log.find((entry) => entry.seq === seq);
    if (!lines.has(line)) return [`not in the brief: ${line}`];
    if (quote === undefined || quote === "" || !blanks(line).includes(quote)) return [`quotes nothing of: ${line}`];
    if (!event) return [`there is no event ${seq} for: ${line}`];
    return blanks(valuesOf(event.data).join(" ")).includes(quote)
      ? []
      : [`${event.type} ${seq} does not hold: ${quote}`];
  });
}

/** Lines about the log that have no source. */
export function findUnsourcedLines(brief: string, receipts: readonly Receipt[]): string[] {
  const proven = new Set(receipts.map(({ line }) => line));
  const exempt =
    /^- (Branch|Lane): |^- the user( \(.*\))? wrote:$|^- Check the state of the work|^> \(\d+ more characters/;
  return brief.split("\n").filter((line) => /^(- |> )/.test(line) && !proven.has(line) && !exempt.test(line));
}

/** Every text and number of an event, in order. An exit code becomes `exit 1`. */
function valuesOf(value: unknown, key = ""): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [key === "exitCode" ? `exit ${value}` : String(value)];
  if (Array.isArray(value)) return value.flatMap((entry) => valuesOf(entry, key));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, one]) => valuesOf(one, name));
  return [];
}

function blanks(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
