/** A checked link target. All text in a transcript is untrusted. */
export type SafeUrl = { kind: "web" | "local"; href: string; label: string } | { kind: "refused" };

const PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1?\]|0\.0\.0\.0)$/i;

/**
 * Allows only web and mail addresses. A server on this machine is `local`, because it opens in the preview; one with TLS
 * opens in the browser, because previews speak plain HTTP. Everything else is refused: scripts, files, data and malformed addresses.
 */
export function safeUrl(text: string): SafeUrl {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { kind: "refused" };
  }
  if (!PROTOCOLS.has(url.protocol)) return { kind: "refused" };
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname))
    return { kind: "local", href: url.href, label: `${url.host}${url.pathname === "/" ? "" : url.pathname}` };
  return { kind: "web", href: url.href, label: text };
}

const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/;

/** The source of an allowed image: inline data (`src`), or a file in the session's folder (`path`). */
export function imageSource(src: string): { src: string } | { path: string } | undefined {
  if (DATA_IMAGE.test(src)) return { src };
  const hasProtocol = /^[a-z][a-z0-9+.-]*:/i.test(src) || src.startsWith("//");
  return hasProtocol ? undefined : { path: src };
}
