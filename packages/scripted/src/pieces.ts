/** Length of a piece: a number of characters, or a word with its trailing space. */
export type PieceSize = number | "word";

/** Cuts a text into pieces without splitting surrogate pairs. The joined pieces equal the text. */
export function pieces(text: string, size: PieceSize): string[] {
  if (size === "word") return text.match(/\s*\S+\s*|\s+/g) ?? [];
  const result: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + Math.max(1, size));
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last < 0xdc00 && to < text.length) to++;
    result.push(text.slice(from, to));
    from = to;
  }
  return result;
}
