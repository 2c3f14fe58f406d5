import { ToolError } from "../../contract/tool.ts";

/** First and last line, from 1. Without a last line the range extends to the limit. */
export type LineRange = { first: number; last?: number };
export type Selector = { raw: boolean; ranges: LineRange[] };

export const WHOLE: Selector = { raw: false, ranges: [] };

const RANGE = String.raw`L?\d+(?:-L?\d*|\+\d+)?`;
const TAIL = new RegExp(`(?::(?:raw|${RANGE}(?:,${RANGE})*))+$`, "i");
/** After an address, only a selector that cannot be a port. */
const URL_TAIL = /(?<=[^/:]\/[^:]*)(?::(?:raw|L?\d+(?:-L?\d+|\+\d+)(?:,L?\d+(?:-L?\d+|\+\d+))*))+$/i;

/** Splits `path:selector`. A suffix that is not a selector belongs to the path. */
export function splitSelector(path: string, kind: "path" | "url" = "path"): { path: string; selector: Selector } {
  const tail = (kind === "url" ? URL_TAIL : TAIL).exec(path);
  if (!tail || tail.index === 0) return { path, selector: WHOLE };
  return { path: path.slice(0, tail.index), selector: parseSelector(tail[0].slice(1)) };
}

/** `raw`, `N`, `A-B`, `A-`, `A+C`, several with commas; `L` before a number is allowed. */
export function parseSelector(text: string): Selector {
  const parts = text.split(":");
  const ranges = parts
    .filter((part) => part.toLowerCase() !== "raw")
    .flatMap((part) => part.split(",").map(parseRange));
  return { raw: parts.some((part) => part.toLowerCase() === "raw"), ranges: mergeRanges(ranges) };
}

function parseRange(text: string): LineRange {
  const match = /^L?(\d+)(?:(-)(?:L?(\d+))?|\+(\d+))?$/i.exec(text);
  if (!match) throw new ToolError(`"${text}" is not a range of lines. Use N, A-B or A+COUNT.`);
  const first = lineNumber(match[1]!);
  if (match[4] !== undefined) return { first, last: first + Math.max(lineNumber(match[4]), 1) - 1 };
  if (match[3] === undefined) return { first };
  const last = lineNumber(match[3]);
  if (last < first) throw new ToolError(`The range ${text} ends before it starts.`);
  return { first, last };
}

function lineNumber(digits: string): number {
  const value = Number(digits);
  if (value < 1) throw new ToolError("Lines are counted from 1.");
  if (!Number.isSafeInteger(value)) throw new ToolError(`There is no line ${digits}.`);
  return value;
}

function mergeRanges(ranges: LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before && (before.last === undefined || range.first <= before.last + 1)) {
      if (before.last !== undefined) before.last = range.last && Math.max(before.last, range.last);
    } else result.push({ ...range });
  }
  return result.map(({ first, last }) => (last === undefined ? { first } : { first, last }));
}
