import type { IncomingMessage } from "node:http";
import { GantryError } from "@gantry/protocol";

const DEPTH = 64;

/**
 * The request's JSON body; `undefined` when there is none. Reads no further than `limit` bytes.
 * Throws `unsupported_media`, `too_large` or `bad_json`.
 */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  const chunked = request.headers["transfer-encoding"] !== undefined;
  if (!chunked && !(length > 0)) return undefined;
  if (length > limit) throw tooLarge(limit);
  requireJson(request);
  const bytes = await readBytes(request, limit);
  return bytes.length === 0 ? undefined : parse(bytes);
}

/** How long a client may continue to send its body after it got its response. */
const REST_MS = 500;

/** Drains an unread body, so that the connection can be reused. Closes the connection when that takes too long. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const impatience = setTimeout(() => request.socket.destroySoon(), REST_MS);
  request.once("close", () => clearTimeout(impatience));
  request.once("end", () => clearTimeout(impatience));
  request.resume();
}

function requireJson(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (type === "application/json" && encoding === "identity") return;
  throw new GantryError("unsupported_media", "A body must be plain JSON with Content-Type: application/json.");
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      reject(tooLarge(limit));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    const rejectBroken = () =>
      reject(new GantryError("bad_request", "The connection broke before the body was complete."));
    request.on("error", rejectBroken);
    request.on("close", rejectBroken);
  });
}

function parse(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new GantryError("bad_json", "The body is not valid JSON in UTF-8.");
  }
  refuseTraps(value);
  return value;
}

/** What is legal JSON but would trip code further on: nesting that overflows a stack, and keys that reach a prototype. */
function refuseTraps(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH) throw new GantryError("bad_json", `The body is nested more than ${DEPTH} levels deep.`);
    const objects = level.filter((value): value is object => typeof value === "object" && value !== null);
    if (objects.some((object) => Object.hasOwn(object, "__proto__")))
      throw new GantryError("bad_json", "The body has a key named __proto__.");
    level = objects.flatMap((object) => Object.values(object));
  }
}

function tooLarge(limit: number): GantryError {
  return new GantryError("too_large", `The body is larger than ${limit} bytes.`, {
    remedy: "Send less, or raise `server.bodyMb` in config.yml.",
  });
}
