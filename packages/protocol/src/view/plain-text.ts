/** Invisible characters and bidirectional controls. Joiners inside of emoji stay. */
const UNSEEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u2060-\u2069\u202A-\u202E\uFEFF\u00AD]/g;

const FENCE = /^[ \t]*(```|~~~)[^\n]*\n?([\s\S]*?)(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm;

/** The text of Markdown without its markup. Code blocks are omitted unless there is nothing else. */
export function plainText(markdown: string): string {
  const seen = markdown.replace(/\r\n?/g, "\n").replace(UNSEEN, "").toWellFormed();
  const outside = stripMarks(seen.replace(FENCE, "\n"));
  return outside || stripMarks(seen.replace(FENCE, "$2"));
}

/** Removes the characters that `drop` matches from the end. The pattern `/[…]+$/` would take quadratic time. */
export function trimEndOf(text: string, drop: RegExp): string {
  let end = text.length;
  while (end > 0 && drop.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Takes linear time: a model may answer with a megabyte of openers that nothing closes. */
function stripMarks(text: string): string {
  return stripComments(text)
    .replace(/!?\[([^\][\n]*)\]\([^()\s]*(?:\s+"[^"\n]*")?\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+|\d{1,3}[.)][ \t]+|[-*_=]{3,}[ \t]*$)+/gm, "")
    .replace(/`+/g, "")
    .split("\n")
    .map(stripEmphasis)
    .join("\n")
    .replace(/~~([^~\n]+)~~/g, "$1")
    .replace(/[ \t\u00A0\u2028\u2029]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function stripComments(text: string): string {
  let plain = "";
  let done = 0;
  for (let start = text.indexOf("<!--"); start >= 0; start = text.indexOf("<!--", done)) {
    const end = text.indexOf("-->", start + 4);
    if (end < 0) break;
    plain += `${text.slice(done, start)} `;
    done = end + 3;
  }
  return plain + text.slice(done);
}

/** Removes pairs of `*` and `_` around text within a line. */
function stripEmphasis(line: string): string {
  const ends = new Map<string, number>();
  const isEnd = (at: number, after: string) => /\S/.test(line.charAt(at - 1)) && /^(?:[\s).,;:!?]|$)/.test(after);
  // Openers are visited from left to right, so each marker is searched for once over the whole line.
  const findEnd = (marker: string, from: number): number => {
    let at = ends.get(marker) ?? -1;
    if (at >= from) return at;
    at = line.indexOf(marker, from);
    while (at >= 0 && !isEnd(at, line.charAt(at + marker.length))) at = line.indexOf(marker, at + 1);
    ends.set(marker, at < 0 ? Number.POSITIVE_INFINITY : at);
    return ends.get(marker)!;
  };
  let plain = "";
  let done = 0;
  for (const { 0: marks, index: start } of line.matchAll(/(?<=^|[\s(])[*_]{1,3}/g)) {
    if (start < done) continue;
    for (let length = marks.length; length > 0; length--) {
      const inner = start + length;
      const end = /\S/.test(line.charAt(inner)) ? findEnd(marks.slice(0, length), inner + 1) : line.length;
      if (end >= line.length) continue;
      plain += line.slice(done, start) + line.slice(inner, end);
      done = end + length;
      break;
    }
  }
  return plain + line.slice(done);
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
