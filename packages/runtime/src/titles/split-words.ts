/** A word and its separator from the previous one. */
export type Word = { text: string; gap: "" | " " };

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

/** The words of a text, in any script. Punctuation belongs to the word before it. */
export function wordsOf(text: string): Word[] {
  return text
    .split(/\s+/u)
    .filter((token) => token !== "")
    .flatMap((token) => (UNSPACED.test(token) ? segmented(token) : [{ text: token, gap: " " as const }]));
}

/** The number of words with a letter, digit or emoji. */
export function countWords(text: string): number {
  return wordsOf(text).filter((word) => isWord(word.text)).length;
}

export function isWord(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
}

export function joinWords(list: readonly Word[]): string {
  return list.map(({ text, gap }, index) => (index === 0 ? text : gap + text)).join("");
}

function segmented(token: string): Word[] {
  // Created on first use, because it is slow and few titles need it.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const found: Word[] = [];
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = found.at(-1);
    if (last && !isWordLike) last.text += segment;
    else found.push({ text: segment, gap: last ? "" : " " });
  }
  return found;
}
