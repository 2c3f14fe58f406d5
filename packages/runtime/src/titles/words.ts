/** A word and what stands between it and the one before. */
export type Word = { text: string; gap: "" | " " };

/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
let segmenter: Intl.Segmenter | undefined;

/** The words of a text, also of one in a script without blanks. Marks go with the word that they follow. */
export function wordsOf(text: string): Word[] {
  return text
    .split(/\s+/u)
    .filter((token) => token !== "")
    .flatMap((token) => (UNSPACED.test(token) ? segmented(token) : [{ text: token, gap: " " as const }]));
}

/** How many words a person would count: what has neither letter, digit nor picture in it is none. */
export function countWords(text: string): number {
  return wordsOf(text).filter((word) => isWord(word.text)).length;
}

export function isWord(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
}

export function joined(words: readonly Word[]): string {
  return words.map(({ text, gap }, index) => (index === 0 ? text : gap + text)).join("");
}

function segmented(token: string): Word[] {
  // Made on first use: few titles need it, and it takes long.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words: Word[] = [];
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = words.at(-1);
    if (last && !isWordLike) last.text += segment;
    else words.push({ text: segment, gap: last ? "" : " " });
  }
  return words;
}
