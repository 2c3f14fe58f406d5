import { bearerHeaders, providerHeaders, secretOf } from "../shaping/auth-headers.ts";
import { join } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { anthropicReader } from "./reader.ts";
import { anthropicBetas, anthropicBody } from "./request.ts";
import { withoutStrict } from "./tools.ts";

const VERSION = "2023-06-01";

/** Anthropic's Messages API and compatible endpoints. */
export const anthropicMessages: Transport = {
  framing: "sse",
  prepare(model, request) {
    const base = model.baseUrl || "https://api.anthropic.com";
    const betas = anthropicBetas(model, request);
    const oauth = request.credential.kind === "oauth";
    const key = secretOf(request.credential);
    return {
      url: join(base, /\/v\d+\/?$/.test(base) ? "messages" : "v1/messages"),
      headers: {
        accept: "text/event-stream",
        "anthropic-version": VERSION,
        ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
        ...(oauth || model.provider === "github-copilot"
          ? bearerHeaders(request.credential)
          : key
            ? { "x-api-key": key }
            : {}),
        ...providerHeaders(model, request),
      },
      body: anthropicBody(model, request),
    };
  },
  reduceBody: withoutStrict,
  reader: (assembly) => anthropicReader(assembly),
};
