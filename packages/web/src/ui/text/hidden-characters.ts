/** A piece of text, or one invisible character that could deceive the reader. */
export type Piece = { text: string } | { control: string };

/** Control characters other than line breaks and tabs, and invisible or direction-changing characters. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Splits a text so that hidden characters can be shown by their code point. Joiners within emoji stay. */
export function splitHidden(text: string): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match[0] === "\u200d" && isJoiner(text, match.index)) continue;
    if (match.index > done) found.push({ text: text.slice(done, match.index) });
    found.push({ control: nameOf(match[0]) });
    done = match.index + match[0].length;
  }
  if (done < text.length) found.push({ text: text.slice(done) });
  return found;
}

function isJoiner(text: string, at: number): boolean {
  return /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(Math.max(0, at - 5), at));
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
