const URLS = /\bhttps?:\/\/[^\s<>"'`\u001b]+/g;
const TRAILING = /[),.;:!?\]}]+$/;

/** Splits a text into plain parts and web addresses. */
export function splitUrls(text: string): ({ text: string } | { url: string })[] {
  const parts: ({ text: string } | { url: string })[] = [];
  let done = 0;
  for (const match of text.matchAll(URLS)) {
    const url = match[0].replace(TRAILING, "");
    if (match.index > done) parts.push({ text: text.slice(done, match.index) });
    parts.push({ url });
    done = match.index + url.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}
