import { bearerHeaders, secretOf } from "../shaping/auth-headers.ts";
import { join, wireId } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { googleReader } from "./reader.ts";
import { googleBody } from "./request.ts";

/** Gemini with a Google AI Studio key. */
export const googleGenerativeAi: Transport = {
  framing: "sse",
  prepare(model, request) {
    const base = model.baseUrl || "https://generativelanguage.googleapis.com/v1beta";
    const versioned = /\/v\d+\w*\/?$/.test(base) ? base : join(base, "v1beta");
    const key = secretOf(request.credential);
    const auth: Record<string, string> =
      request.credential.kind === "oauth" ? bearerHeaders(request.credential) : key ? { "x-goog-api-key": key } : {};
    return {
      url: join(versioned, `models/${encodeURIComponent(wireId(model))}:streamGenerateContent?alt=sse`),
      headers: { accept: "text/event-stream", ...auth },
      body: googleBody(model, request),
    };
  },
  reader: (assembly) => googleReader(assembly),
};
