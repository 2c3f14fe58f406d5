/** Invisible characters and bidirectional controls. Joiners inside of emoji stay. */
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u2060-\u2069\u202A-\u202E\uFEFF\u00AD]/g;

const FENCE = /^[ \t]*(```|~~~)[^\n]*\n?([\s\S]*?)(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;

/** The text of Markdown without its markup. Code blocks are omitted unless there is nothing else. */
export function plainText(markdown: string): string {
  const seen = markdown.replace(/\r\n?/g, "\n").replace(UNSEEN, "").toWellFormed();
  const outside = stripMarks(seen.replace(FENCE, "\n"));
  return outside || stripMarks(seen.replace(FENCE, "$2"));
}

function stripMarks(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/!?\[([^\][\n]*)\]\([^()\s]*(?:\s+"[^"\n]*")?\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+|\d{1,3}[.)][ \t]+|[-*_=]{3,}[ \t]*$)+/gm, "")
    .replace(/`+/g, "")
    .replace(/(^|[\s(])([*_]{1,3})(?=\S)([^\n]*?\S)\2(?=[\s).,;:!?]|$)/gm, "$1$3")
    .replace(/~~([^~\n]+)~~/g, "$1")
    .replace(/[ \t\u00A0\u2028\u2029]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** At most `length` UTF-16 units of a text, cut between graphemes. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  for (const { index, segment } of graphemes(text.slice(0, length + 64))) {
    if (index + segment.length > length) break;
    end = index + segment.length;
  }
  // A single grapheme that is longer than the limit is cut.
  return end > 0 ? text.slice(0, end) : text.slice(0, length).toWellFormed().replaceAll("\uFFFD", "");
}

let segmenter: Intl.Segmenter | undefined;

/** Created on first use: it takes longer than loading all other modules of this package. */
function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}
