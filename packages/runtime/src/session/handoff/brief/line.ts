/** A line of a brief with the events that it was taken from: each holds its `quote`, which is part of the line. */
export type Line = {
  text: string;
  sources: Source[];
  /** It stays when others are left out. */
  firm?: true;
  /** There was nothing to quote. */
  empty?: true;
};
export type Source = { seq: number; quote: string };

/** Blanks of any kind are one blank: what is quoted from an event may have been broken into lines there. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The first `length` characters; a character of two halves is not cut between them. */
export function head(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** One line of a list: `before`, the quoted words, `after`. What is too long is cut, and that is shown. */
export function item(before: string, words: string, after: string, seq: number, length = 300): Line {
  const whole = oneLine(words);
  const quote = head(whole, length).trimEnd();
  const more = quote.length < whole.length ? "…" : "";
  const text = `- ${before}${quote}${more}${after}`;
  return quote === "" ? { text, sources: [], empty: true } : { text, sources: [{ seq, quote }] };
}

const LONGEST = 1000;

/** A text word for word, in lines that are marked as quoted. `most` characters of it; what is cut off is counted. */
export function quoted(text: string, seq: number, most: number): Line[] {
  const kept = head(text.trim(), most);
  const lines = kept.split(/\r?\n/).flatMap((line) => quotedLine(line, seq));
  const missing = text.trim().length - kept.length;
  if (missing > 0) lines.push({ text: `> (${missing} more characters are left out)`, sources: [] });
  return lines;
}

function quotedLine(line: string, seq: number): Line[] {
  if (line.trim() === "") return [{ text: ">", sources: [] }];
  const pieces: Line[] = [];
  for (let rest = line; rest !== ""; ) {
    const piece = head(rest, LONGEST) || rest.slice(0, LONGEST);
    rest = rest.slice(piece.length);
    const quote = oneLine(piece);
    pieces.push({ text: `> ${piece.trimEnd()}`, sources: quote === "" ? [] : [{ seq, quote }] });
  }
  return pieces;
}

/** Several events behind one line. */
export function also(line: Line, seq: number, quote: string): Line {
  if (quote === "") return line;
  const { text, sources, firm } = line;
  return { text, sources: [...sources, { seq, quote: oneLine(quote) }], ...(firm ? { firm } : {}) };
}
