import { request } from "node:http";

/**
 * `fetch` for short-lived commands. A plain HTTP request that accepts only JSON goes through `node:http`, because loading
 * Node's `fetch` takes as long as starting Node; its response has only `ok`, `status` and `json`. Any other request
 * (streams, files, HTTPS) goes to `fetch`.
 */
export const fetchJson: typeof globalThis.fetch = async (target, init = {}) => {
  const { method = "GET", body } = init;
  const headers = (init.headers ?? {}) as Record<string, string>;
  const isText = body === undefined || body === null || typeof body === "string";
  const isPlain = target instanceof URL && target.protocol === "http:" && headers.accept === JSON_TYPE;
  if (!isPlain || !isText) return globalThis.fetch(target, init);
  return send(target, { method, headers, signal: init.signal ?? undefined }, body ?? undefined);
};

const JSON_TYPE = "application/json";

type SendOptions = { method: string; headers: Record<string, string>; signal?: AbortSignal };

function send(url: URL, { method, headers, signal }: SendOptions, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    // The same shape as the errors of `fetch`.
    const fail = (cause: Error) => reject(signal?.aborted ? cause : new TypeError("fetch failed", { cause }));
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request(url, { method, headers: { ...headers, ...length }, signal }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", fail);
      incoming.on("end", () => {
        const { statusCode: status = 0 } = incoming;
        const json = async () => JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
        resolve({ ok: status >= 200 && status < 300, status, json } as Response);
      });
    });
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}
