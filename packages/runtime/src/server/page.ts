import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname, join } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/** Paths that the page's own router answers: all of them are the one document. */
const VIEWS =
  /^\/((s|p|lanes|launches|projects)\/[^/]+|new|inbox|agents|identities|lanes|launch|launches|projects|compare|import|models|usage|settings|search)?$/;

export type PageFile = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/**
 * The files of the page. Without a folder there is a small built-in page. A request can only name a file that was found
 * when the folder was walked, links left out, so no path leads anywhere else.
 */
export class Page {
  readonly #files: ReadonlyMap<string, string>;

  constructor(folder?: string) {
    const builtIn = new Map([["/index.html", join(import.meta.dirname, "page.html")]]);
    this.#files = folder === undefined ? builtIn : new Map(walk(folder, ""));
  }

  /** `undefined` when the page has nothing there. */
  async find(pathname: string): Promise<PageFile | undefined> {
    const name = VIEWS.test(pathname) ? "/index.html" : pathname;
    const path = this.#files.get(name);
    if (path === undefined) return undefined;
    const body = await readPlain(path);
    return body && { body, headers: headersFor(name, body) };
  }
}

function walk(folder: string, prefix: string): [string, string][] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [name, path] = [`${prefix}/${entry.name}`, join(folder, entry.name)];
    if (entry.isDirectory()) return walk(path, name);
    return entry.isFile() && !entry.name.startsWith(".") ? [[name, path] as [string, string]] : [];
  });
}

/** Does not follow a link that has taken the file's place since. */
async function readPlain(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return await file.readFile();
  } catch {
    return undefined;
  }
}

function headersFor(name: string, body: Uint8Array): Record<string, string> {
  const type = TYPES[extname(name)] ?? "application/octet-stream";
  const headers: Record<string, string> = {
    "content-type": type,
    "cache-control": cacheControl(name, type),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  if (type.startsWith("text/html")) headers["content-security-policy"] = policy(Buffer.from(body).toString());
  return headers;
}

/** Names under /assets/ contain a hash of the content. Icons would otherwise be two requests of every navigation. */
function cacheControl(name: string, type: string): string {
  if (name.startsWith("/assets/")) return "public, max-age=31536000, immutable";
  return type.startsWith("image/") ? "public, max-age=3600" : "no-cache";
}

/** Allows only resources of the daemon, and the inline scripts and styles of the document. */
function policy(html: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}(?: type="module")?>([\\s\\S]*?)</${tag}>`, "g"))]
      .map(
        ([, text]) =>
          ` 'sha256-${createHash("sha256")
            .update(text ?? "")
            .digest("base64")}'`,
      )
      .join("");
  return [
    "default-src 'none'",
    `script-src 'self'${hashes("script")}`,
    `style-src 'self'${hashes("style")}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    // Previews of dev servers, each on a separate loopback port.
    "frame-src http://localhost:* http://127.0.0.1:*",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
