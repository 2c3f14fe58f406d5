import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export type Answer = { status: number; headers: IncomingHttpHeaders; lines: string[]; text: string };
export type Ask = { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };

/** Headers of a browser that shows a document in the page's frame. */
export const FRAMED = { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" };

/** Passes by port, as a browser's cookie jar. */
const passes = new Map<string, string>();

/** Opens a preview with its one-time link, as a browser does. Later calls of `ask` on its port present the pass. */
export async function enter({ url = "" }: { url?: string }): Promise<void> {
  const { headers } = await askBare(url, { headers: FRAMED });
  const [cookie = ""] = (headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
  passes.set(new URL(url).port, cookie);
}

/** The cookie that a browser which entered the preview sends. */
export function passOf(address: string): string {
  return passes.get(new URL(address).port) ?? "";
}

/** Sends one request with the pass for its port. Does not follow redirects. Rejects when the response is aborted. */
export function ask(address: string, { headers = {}, ...rest }: Ask = {}): Promise<Answer> {
  const cookie = [headers.cookie, passOf(address)].filter(Boolean).join("; ");
  return askBare(address, { ...rest, headers: { ...headers, ...(cookie ? { cookie } : {}) } });
}

/** The same without a pass. */
export function askBare(address: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, lines: response.rawHeaders, text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
