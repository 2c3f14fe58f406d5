import {
  type AssistantMessage,
  type Credential,
  CredentialError,
  type Credentials,
  type Model,
  type ModelRequest,
  type ProviderFailure,
  type StreamEvent,
  type StreamModel,
  type ThinkingLevel,
} from "@gantry/models";
import type { Guard, Secrets } from "../../contract/ports.ts";
import { extractIntent } from "./intent.ts";
import { unsealStream } from "./unseal-stream.ts";

export type AskerParts = {
  stream: StreamModel;
  credentials: Credentials;
  secrets?: Secrets;
  guard?: Guard;
  env?: Record<string, string | undefined>;
};

export type ModelQuery = Omit<ModelRequest, "credential" | "seal" | "env">;

/** Refusals after which another credential is tried. */
const ROTATES: ReadonlySet<ProviderFailure["category"]> = new Set(["auth", "quota", "rate_limited"]);

/**
 * Requests an answer with a working credential. A credential that is refused before the first output is reported, and
 * the next one is tried at once, each at most once. Redacts secrets in the request and restores them in the answer,
 * removes intents from calls, and reports the cost to the guard. Never throws.
 */
export async function* askModel(parts: AskerParts, model: Model, question: ModelQuery): AsyncGenerator<StreamEvent> {
  const tried = new Set<string>();
  let credential = await credentialFor(parts, model, question);
  if (!credential || "trouble" in credential) {
    const none = `There is no credential for ${model.provider}. Log in (\`gantry auth login ${model.provider}\`) or set a key.`;
    const message = credential?.trouble ?? none;
    yield { type: "error", message: failedAnswer(model, question.thinking, { category: "auth", message }) };
    return;
  }
  for (;;) {
    tried.add(JSON.stringify(credential));
    let hasOutput = false;
    let refused: Extract<StreamEvent, { type: "error" }> | undefined;
    for await (const event of askOnce(parts, model, question, credential)) {
      if (event.type === "error" && !hasOutput && canRotate(event.message)) {
        refused = event;
        break;
      }
      hasOutput ||= event.type !== "start";
      yield event;
    }
    if (!refused) return;
    const next = await credentialFor(parts, model, question);
    if (!next || "trouble" in next || tried.has(JSON.stringify(next)) || question.signal.aborted) {
      yield refused;
      return;
    }
    credential = next;
  }
}

function canRotate(message: AssistantMessage): boolean {
  return message.failure !== undefined && ROTATES.has(message.failure.category);
}

async function* askOnce(
  parts: AskerParts,
  model: Model,
  question: ModelQuery,
  credential: Credential,
): AsyncGenerator<StreamEvent> {
  const { secrets, guard, credentials, env } = parts;
  const request: ModelRequest = {
    ...question,
    credential,
    ...(env ? { env } : {}),
    ...(secrets ? { seal: (body: unknown) => secrets.seal(body) } : {}),
  };
  const raw = parts.stream(model, request);
  for await (const event of secrets ? unsealStream(raw, secrets) : raw) {
    if (event.type === "done" || event.type === "error") {
      const { usage, failure } = event.message;
      guard?.recordUsage({ tokens: usage.totalTokens, costUsd: usage.cost.total });
      if (event.type === "done") credentials.report(model.provider, credential, "ok");
      else if (failure && failure.category !== "aborted") credentials.report(model.provider, credential, failure);
    }
    yield extractIntent(event);
  }
}

async function credentialFor(
  parts: AskerParts,
  model: Model,
  question: ModelQuery,
): Promise<Credential | { trouble: string } | undefined> {
  const { sessionId, signal } = question;
  try {
    const found = await parts.credentials.get(model.provider, { ...(sessionId ? { sessionId } : {}), signal });
    return found ?? (model.keyless ? { kind: "none" } : undefined);
  } catch (error) {
    if (model.keyless) return { kind: "none" };
    // A credential exists but cannot be used now. The message states the reason and the remedy.
    return error instanceof CredentialError ? { trouble: error.message } : undefined;
  }
}

/** The message for a request that got no answer. */
export function failedAnswer(model: Model, thinking: ThinkingLevel, failure: ProviderFailure): AssistantMessage {
  const stopReason = failure.category === "aborted" ? "aborted" : "error";
  return { ...blankAnswer(model, thinking), stopReason, errorMessage: failure.message, failure };
}

export function blankAnswer(model: Model, thinkingLevel: ThinkingLevel): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    thinkingLevel,
    timestamp: Date.now(),
  };
}
