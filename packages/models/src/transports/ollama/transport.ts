import { bearerHeaders } from "../shaping/auth-headers.ts";
import { join } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { ollamaReader } from "./reader.ts";
import { ollamaBody } from "./request.ts";

/** Ollama's native chat API: one JSON object per line. */
export const ollamaChat: Transport = {
  framing: "lines",
  prepare(model, request) {
    const base = (model.baseUrl || "http://127.0.0.1:11434").replace(/\/+$/, "").replace(/\/(v1|api)$/, "");
    return {
      url: join(base, "api/chat"),
      headers: { accept: "application/x-ndjson", ...bearerHeaders(request.credential) },
      body: ollamaBody(model, request),
    };
  },
  reader: (assembly) => ollamaReader(assembly),
};
