/** The text as it appears between the quotes of a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Decodes a piece of a JSON string; `undefined` if encoding the result would not give the same piece. */
export function unescapeJson(piece: string): string | undefined {
  if (!/["\\\u0000-\u001f]/.test(piece)) return piece;
  try {
    const text: unknown = JSON.parse(`"${piece}"`);
    return typeof text === "string" && escapeJson(text) === piece ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Widens the span so that it does not split an escape of a JSON string. */
export function wholeEscapes(text: string, start: number, end: number): [number, number] {
  const from = backslashesBefore(text, start) % 2 === 1 ? start - 1 : start;
  if (backslashesBefore(text, end) % 2 === 0) return [from, end];
  return [from, Math.min(text.length, end + (text[end] === "u" ? 5 : 1))];
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (text[at - count - 1] === "\\") count++;
  return count;
}
