/** A word and its separator from the previous one. */
export type Term = { text: string; gap: "" | " " };

/** Scripts without spaces between the terms. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

/** Splits a text at word boundaries, in any script. Punctuation belongs to the term before it. */
export function splitTerms(text: string): Term[] {
  return text
    .split(/\s+/u)
    .filter((token) => token !== "")
    .flatMap((token) => (UNSPACED.test(token) ? segmentToken(token) : [{ text: token, gap: " " as const }]));
}

/** The number of terms with a letter, digit or emoji. */
export function countTerms(text: string): number {
  return splitTerms(text).filter((word) => isTerm(word.text)).length;
}

export function isTerm(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
}

export function joinTerms(list: readonly Term[]): string {
  return list.map(({ text, gap }, index) => (index === 0 ? text : gap + text)).join("");
}

function segmentToken(token: string): Term[] {
  // Created on first use, because it is slow and few titles need it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const found: Term[] = [];
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = found.at(-1);
    if (last && !isWordLike) last.text += segment;
    else found.push({ text: segment, gap: last ? "" : " " });
  }
  return found;
}
