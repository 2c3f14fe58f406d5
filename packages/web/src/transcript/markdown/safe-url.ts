/** Where a link in a transcript may lead. Everything in a transcript was written by others. */
export type SafeUrl = { kind: "web" | "local"; href: string; label: string } | { kind: "refused" };

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|[a-z0-9-]+\.localhost)$/i;

/**
 * Only the web and mail can be followed; a server on this machine is told apart, as it is looked at in the preview.
 * Scripts, files, data and whatever else a link may name are refused, and so is what is no address at all.
 */
export function safeUrl(text: string): SafeUrl {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { kind: "refused" };
  }
  if (!PROTOCOLS.has(url.protocol)) return { kind: "refused" };
  if (url.protocol !== "mailto:" && LOOPBACK.test(url.hostname))
    return { kind: "local", href: url.href, label: `${url.host}${url.pathname === "/" ? "" : url.pathname}` };
  return { kind: "web", href: url.href, label: text };
}

const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/;

/** Where an image that may be shown comes from: the text itself (`src`), or a file of the session's folder (`path`). */
export function imageSource(src: string): { src: string } | { path: string } | undefined {
  if (DATA_IMAGE.test(src)) return { src };
  const hasProtocol = /^[a-z][a-z0-9+.-]*:/i.test(src) || src.startsWith("//");
  return hasProtocol ? undefined : { path: src };
}
