import type { Model } from "../../model.ts";
import type { Credential, ModelRequest } from "../../stream.ts";
import { asObject, asText, type Json, parseJson } from "../json.ts";
import { bearerHeaders, secretOf } from "../shaping/auth-headers.ts";
import { join } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { responseReader } from "./reader.ts";
import { responseBody } from "./request.ts";

/** The Responses API of a ChatGPT subscription: the system prompt is `instructions`, and it accepts no token limit. */
export const openaiCodexResponses: Transport = {
  framing: "sse",
  prepare(model, request) {
    const account = accountOf(request.credential);
    return {
      url: codexUrl(model.baseUrl || "https://chatgpt.com/backend-api"),
      headers: {
        accept: "text/event-stream",
        "openai-beta": "responses=experimental",
        originator: "gantry",
        ...bearerHeaders(request.credential),
        ...(account ? { "chatgpt-account-id": account } : {}),
        ...(request.sessionId ? { session_id: request.sessionId } : {}),
      },
      body: codexBody(model, request),
    };
  },
  socketHeaders: { "openai-beta": "responses_websockets=2026-02-06" },
  reader: (assembly) => responseReader(assembly),
};

function codexBody(model: Model, request: ModelRequest): Json {
  const {
    max_output_tokens: _tokens,
    prompt_cache_retention: _retention,
    temperature: _t,
    top_p: _p,
    ...body
  } = responseBody(model, { ...request, system: [] });
  const instructions = request.system.filter((text) => text.trim() !== "").join("\n\n");
  return {
    ...body,
    store: false,
    instructions: instructions || "You are a helpful assistant.",
    parallel_tool_calls: true,
  };
}

function codexUrl(base: string): string {
  const bare = base.replace(/\/+$/, "");
  if (bare.endsWith("/responses")) return bare;
  return bare.endsWith("/codex") ? join(bare, "responses") : join(bare, "codex/responses");
}

/** The account id of the login, else from the token's claims. */
function accountOf(credential: Credential): string | undefined {
  if (credential.kind === "oauth" && credential.accountId) return credential.accountId;
  const payload = secretOf(credential)?.split(".")[1];
  if (!payload) return undefined;
  const claims = asObject(parseJson(Buffer.from(payload, "base64url").toString("utf8")));
  return asText(asObject(claims["https://api.openai.com/auth"]).chatgpt_account_id) || undefined;
}
