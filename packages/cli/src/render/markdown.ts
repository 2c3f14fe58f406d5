import type { Paint } from "../terminal/paint.ts";

/** Styles the lines of a message one after the other; it remembers whether it is inside a code block. */
export type LineStyler = (line: string) => string;

/** A light hand with Markdown: headings, emphasis, code, bullets and quotes. Without colour the text stays untouched. */
export function markdownLines(paint: Paint): LineStyler {
  let fence: string | undefined;
  return (line) => {
    if (!paint.enabled) return line;
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark) {
      const opening = fence === undefined;
      if (opening) fence = mark;
      else if (mark.startsWith(fence ?? "")) fence = undefined;
      return paint.dim(line);
    }
    return fence === undefined ? styleProse(line, paint) : paint.cyan(line);
  };
}

function styleProse(line: string, paint: Paint): string {
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  if (heading) return paint.bold(heading[1] ?? "");
  if (/^\s*>/.test(line)) return paint.dim(line);
  const bullet = /^(\s*)[-*+]\s+(.*)$/.exec(line);
  if (bullet) return `${bullet[1]}${paint.dim("•")} ${styleInline(bullet[2] ?? "", paint)}`;
  return styleInline(line, paint);
}

function styleInline(text: string, paint: Paint): string {
  return text.replace(
    /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g,
    (_whole, code?: string, strong?: string, soft?: string) => {
      if (code !== undefined) return paint.cyan(code);
      return strong === undefined ? paint.italic(soft ?? "") : paint.bold(strong);
    },
  );
}
