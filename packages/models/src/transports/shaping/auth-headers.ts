import type { Message } from "../../messages.ts";
import type { Model } from "../../model.ts";
import type { Credential, ModelRequest } from "../../stream.ts";

/** The key or token of a credential, if it has one. */
export function secretOf(credential: Credential): string | undefined {
  if (credential.kind === "key") return credential.key;
  return credential.kind === "oauth" ? credential.token : undefined;
}

export function bearerHeaders(credential: Credential): Record<string, string> {
  const secret = secretOf(credential);
  return secret ? { authorization: `Bearer ${secret}` } : {};
}

/** GitHub bills requests by their initiator and requires a header for images. */
export function providerHeaders(model: Model, request: ModelRequest): Record<string, string> {
  if (model.provider !== "github-copilot") return {};
  const last = request.messages.at(-1);
  return {
    "x-initiator": last?.role === "user" || last === undefined ? "user" : "agent",
    "openai-intent": "conversation-edits",
    ...(request.messages.some(hasImage) ? { "copilot-vision-request": "true" } : {}),
  };
}

function hasImage(message: Message): boolean {
  if (message.role !== "user" && message.role !== "toolResult") return false;
  return typeof message.content !== "string" && message.content.some((block) => block.type === "image");
}
