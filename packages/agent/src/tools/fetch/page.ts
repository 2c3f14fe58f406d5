import type { ImageBlock } from "@gantry/models";
import { ToolError } from "../../contract/tool.ts";
import { messageOf } from "../define.ts";
import { imageType } from "../read/image.ts";
import { isAllowedHost } from "./hosts.ts";
import { htmlToMarkdown } from "./markdown.ts";
import { type HttpAnswer, type Resolve, requestOnce } from "./request.ts";

export type FetchSettings = {
  /** Host globs that may be read without asking, private ones too. */
  allow?: readonly string[];
  timeoutMs?: number;
  maxBytes?: number;
  resolve?: Resolve;
};

export type Page = { url: string; text: string; notes: string[]; image?: ImageBlock };

const MAX_REDIRECTS = 8;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * A page as text. Redirects are followed only within the permitted host or to a host that a rule names. For any other
 * the model has to request the new address itself, so that it is permitted too.
 */
export async function fetchPage(
  address: string,
  options: { raw?: boolean; timeoutMs?: number },
  settings: FetchSettings,
  signal: AbortSignal,
): Promise<Page> {
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? TIMEOUT_MS;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const { url, answer } = await follow(webUrl(address), settings, AbortSignal.any([signal, deadline]));
    return await pageOf(url, answer, options.raw === true);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (signal.aborted) throw new ToolError("Aborted.");
    if (deadline.aborted) throw new ToolError(`${address} did not answer within ${timeoutMs / 1000} s.`);
    throw new ToolError(`${address}: ${messageOf(error)}`, { cause: error });
  }
}

function webUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new ToolError(`${address} is not a valid address.`);
  const url = new URL(address, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new ToolError("Only http and https can be read.");
  if (url.username || url.password) throw new ToolError("Addresses with a user or password in them are not read.");
  url.hash = "";
  return url;
}

async function follow(first: URL, settings: FetchSettings, signal: AbortSignal) {
  const allow = settings.allow ?? [];
  const maxBytes = settings.maxBytes ?? MAX_BYTES;
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await requestOnce(url, {
      allow,
      maxBytes,
      signal,
      ...(settings.resolve && { resolve: settings.resolve }),
    });
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status >= 400 || !location) return { url, answer };
    const next = webUrl(location, url);
    if (url.protocol === "https:" && next.protocol === "http:")
      throw new ToolError(`${url} leads to an unprotected address: ${next}`);
    if (next.hostname !== first.hostname && !isAllowedHost(next, allow)) {
      throw new ToolError(`${url} redirects to another host: ${next}\nRequest that address to read it.`);
    }
    url = next;
  }
  throw new ToolError(`${first} redirects more than ${MAX_REDIRECTS} times.`);
}

async function pageOf(url: URL, answer: HttpAnswer, raw: boolean): Promise<Page> {
  const type = (answer.headers["content-type"] ?? "").toLowerCase();
  const image = imageType(answer.body);
  const notes = [`${url.href}: status ${answer.status}${type ? `, ${type}` : ""}, ${answer.body.length} bytes`];
  if (answer.cut) notes.push("The answer was too long and was cut.");
  if (image && !answer.cut && answer.status < 400) {
    return {
      url: url.href,
      text: "",
      notes,
      image: { type: "image", data: answer.body.toString("base64"), mimeType: image },
    };
  }
  const text = decodeBody(answer.body, type);
  if (text === undefined) throw new ToolError(`${notes[0]}. That is not text.`);
  if (answer.status >= 400) throw new ToolError(`${notes[0]}\n${text.slice(0, 500)}`);
  return { url: url.href, text: raw ? text : await toReadableText(text, type, answer.cut), notes };
}

async function toReadableText(text: string, type: string, cut: boolean): Promise<string> {
  if (/\bhtml\b/.test(type) || (!type && /^\s*<(!doctype html|html)/i.test(text))) return htmlToMarkdown(text);
  if (!/\bjson\b/.test(type) || cut) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The charset comes from the header, else from the page, else UTF-8. */
function decodeBody(body: Buffer, type: string): string | undefined {
  const head = body.toString("latin1", 0, 1024);
  const named = /charset=["']?([\w.:-]+)/i.exec(type)?.[1] ?? /<meta[^>]+charset=["']?([\w.:-]+)/i.exec(head)?.[1];
  const marked = body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : undefined;
  if (!marked && !/utf-16/i.test(named ?? "") && body.subarray(0, 8192).includes(0)) return undefined;
  try {
    return new TextDecoder(marked ?? named ?? "utf-8").decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
