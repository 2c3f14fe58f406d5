import type { OpenPreview } from "@gantry/protocol";

/** What a person typed as a dev server: a port, `localhost:5173/admin`, or a whole address. */
export function asTarget(typed: string): Pick<OpenPreview, "url" | "port"> {
  const text = typed.trim();
  if (/^:?\d{1,5}$/.test(text)) return { port: Number(text.replace(":", "")) };
  return { url: /^[a-z]+:\/\//i.test(text) ? text : `http://${text}` };
}

/** What a person typed into the address bar, as a path of the shown site: also the target's or the preview's address. */
export function asPath(typed: string): string {
  const text = typed.trim();
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : null;
  if (url) return url.pathname + url.search + url.hash;
  return text.startsWith("/") ? text : `/${text}`;
}

/** Do two addresses mean the same dev server? */
export function sameServer(a: string, b: string): boolean {
  return URL.parse(a)?.origin === URL.parse(b)?.origin;
}
