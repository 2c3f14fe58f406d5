import { labelLine } from "../disk/anchor.ts";
import type { LineRange, Selector } from "./selector.ts";

export type ReadLimits = {
  /** How many lines are shown without a range. */
  defaultLines: number;
  maxLines: number;
  maxBytes: number;
  maxColumns: number;
  anchors: boolean;
};

export const READ_LIMITS: ReadLimits = {
  defaultLines: 300,
  maxLines: 3000,
  maxBytes: 50 * 1024,
  maxColumns: 2000,
  anchors: true,
};

const BEFORE = 1;
const AFTER = 3;

export type NumberedLine = { number: number; text: string; cut?: number };

/** The lines to show, with a little context around the requested ranges. */
export function windowsOf(selector: Selector, limits: ReadLimits): Required<LineRange>[] {
  if (selector.ranges.length === 0) return [{ first: 1, last: selector.raw ? limits.maxLines : limits.defaultLines }];
  const windows: Required<LineRange>[] = [];
  for (const { first, last } of selector.ranges) {
    const open = last ?? first + limits.defaultLines - 1;
    const wide = selector.raw ? { first, last: open } : { first: Math.max(1, first - BEFORE), last: open + AFTER };
    const before = windows.at(-1);
    if (before && wide.first <= before.last + 1) before.last = Math.max(before.last, wide.last);
    else windows.push(wide);
  }
  return windows;
}

export type Printed = { text: string; lines: number; lastShown: number; full: boolean };

/** Formats as many lines as fit. */
export function printLines(lines: Iterable<NumberedLine>, raw: boolean, limits: ReadLimits): Printed {
  const out: string[] = [];
  let bytes = 0;
  let last = 0;
  for (const line of lines) {
    if (out.length >= limits.maxLines) return { text: out.join("\n"), lines: out.length, lastShown: last, full: true };
    const gap = !raw && last > 0 && line.number > last + 1 ? "…\n" : "";
    const shown = gap + printLine(line, raw, limits);
    bytes += Buffer.byteLength(shown) + 1;
    if (bytes > limits.maxBytes && out.length > 0) {
      return { text: out.join("\n"), lines: out.length, lastShown: last, full: true };
    }
    out.push(bytes > limits.maxBytes ? shown.slice(0, limits.maxBytes) : shown);
    last = line.number;
  }
  return { text: out.join("\n"), lines: out.length, lastShown: last, full: false };
}

function printLine({ number, text, cut = 0 }: NumberedLine, raw: boolean, limits: ReadLimits): string {
  if (raw) return text;
  const over = Math.max(0, text.length - limits.maxColumns) + cut;
  const shown = over > 0 ? `${text.slice(0, limits.maxColumns)}… (${over} more characters)` : text;
  return labelLine(number, text, shown, limits.anchors);
}
