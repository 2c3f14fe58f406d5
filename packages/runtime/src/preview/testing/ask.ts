import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export type Answer = { status: number; headers: IncomingHttpHeaders; lines: string[]; text: string };
export type Ask = { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };

/** Headers of a browser that shows a document in the page's frame. */
export const FRAMED = { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" };

/** Sends one request without following redirects. Rejects when the response is aborted. */
export function ask(address: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> {
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
