import type { Text } from "@gantry/protocol";
import { formatBytes } from "../../ui/display/format.ts";
import { type Clipped, countAllLines } from "../../ui/text/clip.ts";

/**
 * The number of lines of an output that are not shown. Of a large output only the end is loaded at first, so the lines of
 * that end do not give the number of the rest. `undefined` if the number is unknown.
 */
export function hiddenLines(output: Text, clipped: Clipped, whole: boolean): number | undefined {
  if (whole || typeof output === "string") return clipped.lines;
  return output.lines === undefined ? undefined : Math.max(0, output.lines - countAllLines(clipped.text));
}

type Cut = { lines: number | undefined; characters: number; size: number; whole: boolean };

/** What is missing from a shown output. */
export function cutNotice({ lines, characters, size, whole }: Cut): string {
  const parts = [
    lines === undefined && "earlier lines hidden",
    lines !== undefined &&
      lines > 0 &&
      `${lines.toLocaleString("en")} earlier ${lines === 1 ? "line" : "lines"} hidden`,
    characters > 0 && `long lines shortened by ${characters.toLocaleString("en")} characters`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return whole ? formatBytes(size) : `End of ${formatBytes(size)}`;
  const text = parts.join(", ");
  return `${text[0]?.toUpperCase()}${text.slice(1)} (${formatBytes(size)} in total)`;
}
