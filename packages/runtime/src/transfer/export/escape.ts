const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for a document: nothing in it means anything to a browser. Characters that no document may hold are shown as such. */
export function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");
}

/** An address that a link may lead to; anything else is shown as text. */
export function safeUrl(url: string): string | undefined {
  return /^(https?:|mailto:)/i.test(url.trim()) ? url.trim() : undefined;
}
