import type { OpenPreview } from "@gantry/protocol";

/** Parses a typed dev server: a port, `localhost:5173/admin`, or a full address. */
export function parseTarget(typed: string): Pick<OpenPreview, "url" | "port"> {
  const text = typed.trim();
  if (/^:?\d{1,5}$/.test(text)) return { port: Number(text.replace(":", "")) };
  return { url: /^[a-z]+:\/\//i.test(text) ? text : `http://${text}` };
}

/** Parses the text of the address bar as a path of the site. Also accepts a full address and uses its path. */
export function parsePath(typed: string): string {
  const text = typed.trim();
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : null;
  if (url) return url.pathname + url.search + url.hash;
  return text.startsWith("/") ? text : `/${text}`;
}

/** Whether two addresses have the same origin. A server on every interface is reached as localhost. */
export function isSameServer(a: string, b: string): boolean {
  return originOf(a) === originOf(b);
}

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, "//localhost");
}

/** The path of an address with query and fragment. */
export function pathOf(target: string): string {
  const { pathname, search, hash } = new URL(target);
  return pathname + search + hash;
}
