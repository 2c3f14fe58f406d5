import type { AssistantMessage, StreamEvent, Usage } from "@gantry/models";
import type { Guard } from "../../contract/ports.ts";
import { SessionError } from "../../contract/session.ts";
import type { Settings } from "../../settings/schema.ts";
import { planRetry } from "../drive/retry.ts";
import { sleep } from "../drive/sleep.ts";

/**
 * Requests a single text, with the conversation's retry policy. `ask` sends one request. Rejects with a `SessionError`.
 */
export async function requestText(
  question: { signal: AbortSignal },
  ask: () => AsyncIterable<StreamEvent>,
  retry: Settings["retry"],
  guard: Guard | undefined,
): Promise<{ text: string; usage: Usage }> {
  for (let attempt = 0; ; attempt += 1) {
    const refused = guard?.beforeRequest();
    if (refused?.stop || refused?.refused !== undefined) throw new SessionError(refused.refused ?? "Stopped.");
    const message = await lastOf(ask());
    if (message && message.stopReason !== "error" && message.stopReason !== "aborted") return textOf(message);
    if (question.signal.aborted) throw new SessionError("Cancelled");
    const plan = planRetry(message?.failure, attempt, retry);
    if (!plan.retry)
      throw new SessionError(message?.failure?.message ?? message?.errorMessage ?? "The model gave no answer.");
    if (!(await sleep(plan.delayMs, question.signal))) throw new SessionError("Cancelled");
  }
}

async function lastOf(events: AsyncIterable<StreamEvent>): Promise<AssistantMessage | undefined> {
  for await (const event of events) {
    if (event.type === "done" || event.type === "error") return event.message;
  }
  return undefined;
}

function textOf(message: AssistantMessage): { text: string; usage: Usage } {
  const text = message.content.map((each) => (each.type === "text" ? each.text : "")).join("");
  if (text.trim() === "") throw new SessionError("The model gave an empty summary.");
  return { text, usage: message.usage };
}
