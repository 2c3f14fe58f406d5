/** A line of a brief with its source events. Each source contains its `quote`, which is part of the line. */
export type Line = {
  text: string;
  sources: Source[];
  /** It stays when others are dropped. */
  firm?: true;
  /** There was nothing to quote. */
  empty?: true;
};
export type Source = { seq: number; quote: string };

/** Collapses white space, because a quoted text may span lines in its event. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The first `length` characters, without half of a surrogate pair. */
export function head(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** One list line: `before`, the quoted text, `after`. A text that is too long ends in an ellipsis. */
export function item(before: string, quotedText: string, after: string, seq: number, length = 300): Line {
  const whole = oneLine(quotedText);
  const quote = head(whole, length).trimEnd();
  const more = quote.length < whole.length ? "…" : "";
  const text = `- ${before}${quote}${more}${after}`;
  return quote === "" ? { text, sources: [], empty: true } : { text, sources: [{ seq, quote }] };
}

const MAX_LINE = 1000;

/** Quotes up to `most` characters of a text, line by line. The number of dropped characters is shown. */
export function quoteText(text: string, seq: number, most: number): Line[] {
  const shown = head(text.trim(), most);
  const lines = shown.split(/\r?\n/).flatMap((line) => quotedLine(line, seq));
  const missing = text.trim().length - shown.length;
  if (missing > 0) lines.push({ text: `> (${missing} more characters are omitted)`, sources: [] });
  return lines;
}

function quotedLine(line: string, seq: number): Line[] {
  if (line.trim() === "") return [{ text: ">", sources: [] }];
  const pieces: Line[] = [];
  for (let rest = line; rest !== ""; ) {
    const piece = head(rest, MAX_LINE) || rest.slice(0, MAX_LINE);
    rest = rest.slice(piece.length);
    const quote = oneLine(piece);
    pieces.push({ text: `> ${piece.trimEnd()}`, sources: quote === "" ? [] : [{ seq, quote }] });
  }
  return pieces;
}

/** Adds a second source to a line. */
export function addSource(line: Line, seq: number, quote: string): Line {
  if (quote === "") return line;
  const { text, sources, firm } = line;
  return { text, sources: [...sources, { seq, quote: oneLine(quote) }], ...(firm ? { firm } : {}) };
}
