import { bearerHeaders, providerHeaders } from "../shaping/auth-headers.ts";
import { join, openaiBase } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { responseReader } from "./reader.ts";
import { responseBody } from "./request.ts";

/** OpenAI's Responses API. */
export const openaiResponses: Transport = {
  framing: "sse",
  prepare: (model, request) => ({
    url: join(openaiBase(model), "responses"),
    headers: { accept: "text/event-stream", ...bearerHeaders(request.credential), ...providerHeaders(model, request) },
    body: responseBody(model, request),
  }),
  socketHeaders: {},
  reader: (assembly) => responseReader(assembly),
};
