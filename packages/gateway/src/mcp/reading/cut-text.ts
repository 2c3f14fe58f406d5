/** The beginning of a text, with a note about what is missing. Does not cut a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}… (${text.length - start.length} more characters)`;
}
