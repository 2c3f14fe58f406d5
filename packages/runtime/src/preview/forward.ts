import { randomBytes } from "node:crypto";
import { type Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { requestOptionsFor } from "./connect.ts";
import type { Passes } from "./passes.ts";
import { headersForBrowser, headersForTarget, headersOfChangedDocument } from "./response/headers.ts";
import { type InspectorFiles, RESERVED } from "./response/inspector-files.ts";
import { putTag } from "./response/inspector-tag.ts";
import type { Loosening } from "./response/policy.ts";
import type { Target } from "./target.ts";
import { waitingPage } from "./waiting.ts";

/** What a preview needs to forward requests. */
export type Passage = {
  target: Target;
  inspector: InspectorFiles;
  /** Recognises the browsers that may use the preview. */
  passes: Passes;
  /** Origins of the daemon's page. */
  pages: () => readonly string[];
  /** Reuses connections to the target: a page of a dev server loads hundreds of files. */
  agent: Agent;
};

/** A dev server may compile for minutes before it responds. After this time without output it counts as stuck. */
const ANSWER_MS = 300_000;
export const UP_PATH = `${RESERVED}up`;

const DECODERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

type Exchange = Passage & { own: string; incoming: IncomingMessage; outgoing: ServerResponse };

/** Forwards one request to the target and streams the response back. `own` is the preview's origin. */
export function forward(passage: Passage, own: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  // A request with side effects never uses a pooled connection, which the target may be closing.
  attempt({ ...passage, own, incoming, outgoing }, isPlainRead(incoming) ? passage.agent : false);
}

function attempt(exchange: Exchange, agent: Agent | false): void {
  const { target, own, incoming, outgoing } = exchange;
  const headers = headersForTarget(incoming.headers, own, target);
  // Node frames the body of a GET or DELETE only on request. Unframed, the target reads it as a second request.
  if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  const sent = request({ ...requestOptionsFor(target), agent, method: incoming.method, path: incoming.url, headers });
  let silent = false;
  const patience = setTimeout(() => {
    silent = true;
    sent.destroy();
  }, ANSWER_MS);
  sent.on("close", () => clearTimeout(patience));
  sent.on("response", (answer) => {
    clearTimeout(patience);
    try {
      passBack(exchange, answer);
    } catch {
      // A status or a header that Node reads but does not write.
      outgoing.destroy();
    }
  });
  sent.on("error", () => {
    // An aborted response also closes the browser's connection.
    if (outgoing.headersSent || outgoing.destroyed) return;
    // The target had closed a pooled connection.
    if (sent.reusedSocket && !silent) return attempt(exchange, false);
    incoming.resume();
    respondTargetDown(exchange, silent);
  });
  outgoing.on("close", () => outgoing.writableFinished || sent.destroy());
  if (isPlainRead(incoming)) sent.end();
  else incoming.pipe(sent);
}

/** A request without side effects and without a body can be sent twice. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  const reads = method === "GET" || method === "HEAD";
  return reads && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}

function passBack({ target, inspector, pages, own, incoming, outgoing }: Exchange, answer: IncomingMessage): void {
  const loosening: Loosening = { scripts: own + RESERVED, nonce: makeNonce(), ancestors: pages() };
  const headers = headersForBrowser(answer.headers, target, loosening);
  const tag = inspector.tag(loosening.ancestors, loosening.nonce);
  const plain = tag !== "" && wantsDocument(incoming) && isWholeHtml(answer) ? decodeBody(answer) : undefined;
  outgoing.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage,
    plain ? headersOfChangedDocument(headers) : headers,
  );
  // Server-sent events send their headers before the first event.
  outgoing.flushHeaders();
  const parts = plain && incoming.method !== "HEAD" ? [plain, putTag(tag), outgoing] : [answer, outgoing];
  pipeline(parts, () => {});
}

/** HTML fragments that a script requests are not documents. */
function wantsDocument({ headers }: IncomingMessage): boolean {
  const destination = headers["sec-fetch-dest"];
  if (destination === undefined) return headers.accept?.includes("text/html") ?? false;
  return ["document", "iframe", "frame"].includes(String(destination));
}

function isWholeHtml({ headers, statusCode }: IncomingMessage): boolean {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  // UTF-16 is the only encoding in which an ASCII tag would be invalid.
  if (type.trim() !== "text/html" || parameters.some((parameter) => parameter.includes("utf-16"))) return false;
  return statusCode !== 204 && statusCode !== 206 && statusCode !== 304;
}

/** The decompressed body; `undefined` for an unknown compression. */
function decodeBody(answer: IncomingMessage): Readable | undefined {
  const encoding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return answer;
  const decoder = DECODERS[encoding as keyof typeof DECODERS];
  return decoder && pipeline(answer, decoder(), () => {});
}

function respondTargetDown({ target, inspector, pages, incoming, outgoing }: Exchange, silent: boolean): void {
  const status = silent ? 504 : 502;
  if (!wantsDocument(incoming)) {
    outgoing.writeHead(status, { "content-type": "text/plain", "cache-control": "no-store" });
    outgoing.end(`${target.url.origin} does not answer.\n`);
    return;
  }
  const [nonce, ancestors] = [makeNonce(), pages()];
  const { html, headers } = waitingPage({
    address: target.url.origin,
    reason: silent ? "silent" : "refused",
    upPath: UP_PATH,
    tag: inspector.tag(ancestors, nonce),
    nonce,
    ancestors,
  });
  outgoing.writeHead(status, headers);
  outgoing.end(incoming.method === "HEAD" ? "" : html);
}

function makeNonce(): string {
  return randomBytes(16).toString("base64url");
}
