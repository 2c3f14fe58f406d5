/** Cuts a text into pieces of at most `size` characters without splitting a surrogate pair. */
export function pieces(text: string, size: number): string[] {
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
