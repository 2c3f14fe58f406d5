import { bearerHeaders, providerHeaders } from "../shaping/auth-headers.ts";
import { join, openaiBase } from "../shaping/body.ts";
import { detectCompat } from "../shaping/compat.ts";
import type { Transport } from "../transport.ts";
import { completionReader } from "./reader.ts";
import { completionBody } from "./request.ts";

/** OpenAI's Chat Completions API and compatible endpoints. */
export const openaiCompletions: Transport = {
  framing: "sse",
  prepare: (model, request) => ({
    url: join(openaiBase(model), "chat/completions"),
    headers: { accept: "text/event-stream", ...bearerHeaders(request.credential), ...providerHeaders(model, request) },
    body: completionBody(model, request),
  }),
  reader: (assembly, model) => completionReader(assembly, detectCompat(model).reasoningContentField),
};
