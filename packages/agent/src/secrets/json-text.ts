/** As it stands between the quotes of a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What a piece of a JSON string says, if writing that gives the same piece again. */
export function unescapeJson(piece: string): string | undefined {
  if (!/["\\\u0000-\u001f]/.test(piece)) return piece;
  try {
    const text: unknown = JSON.parse(`"${piece}"`);
    return typeof text === "string" && escapeJson(text) === piece ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The span made larger so that it cuts no escape of a JSON string in two. */
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
