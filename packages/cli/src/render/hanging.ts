import { textWidth, wrap } from "../terminal/width.ts";

/** A text after a label, its further rows below its first. Without a width (a pipe) lines stay as long as they are. */
export function hanging(label: string, text: string, width: number | undefined): string[] {
  const indent = " ".repeat(textWidth(label));
  const room = width === undefined ? 0 : Math.max(20, width - indent.length);
  const rows = text.split("\n").flatMap((line) => (room > 0 ? wrap(line, room) : [line]));
  return rows.map((row, index) => (index === 0 ? label : indent) + row);
}
