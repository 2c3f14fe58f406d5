import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolResultMessage } from "@gantry/models";
import type { AgentMessage, BashExecution } from "../contract/messages.ts";
import { callsOf, distinctCalls } from "./draft.ts";

/** For a call without a known result: the process ended during the call, or the result was lost. */
export const UNKNOWN_OUTCOME =
  "No result: the session ended while this call was running. Its outcome is unknown; check before you repeat it.";

/**
 * Converts a conversation into the messages of a model request. Pure. The output is always valid: each call is followed
 * directly by exactly one result, no result lacks its call, and failed answers are left out.
 */
export function toModelMessages(messages: readonly AgentMessage[]): Message[] {
  const results = resultsByCall(messages);
  const out: Message[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") continue;
    if (message.role !== "assistant") {
      const converted = toPlainMessage(message);
      if (converted) out.push(converted);
      continue;
    }
    const answer = sendableAnswer(message);
    if (!answer) continue;
    out.push(answer);
    for (const call of callsOf(answer)) {
      const known = results.get(message)?.get(call.id);
      out.push(known ? withoutDetails(known) : unknownResult(call.id, call.name, message.timestamp));
    }
  }
  return out;
}

export function unknownResult(toolCallId: string, toolName: string, timestamp: number): ToolResultMessage {
  const content: TextBlock[] = [{ type: "text", text: UNKNOWN_OUTCOME }];
  return { role: "toolResult", toolCallId, toolName, content, isError: true, timestamp };
}

/** Later answers may reuse ids: a result belongs to the last call with its id before it. */
function resultsByCall(messages: readonly AgentMessage[]): Map<AssistantMessage, Map<string, ToolResultMessage>> {
  const owners = new Map<string, AssistantMessage>();
  const results = new Map<AssistantMessage, Map<string, ToolResultMessage>>();
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const call of callsOf(message)) owners.set(call.id, message);
      results.set(message, new Map());
    }
    if (message.role !== "toolResult") continue;
    const owner = owners.get(message.toolCallId);
    const own = owner && results.get(owner);
    if (own && !own.has(message.toolCallId)) own.set(message.toolCallId, message);
  }
  return results;
}

/** Drops interrupted thinking, which has no signature, and empty answers: providers reject both. */
function sendableAnswer(message: AssistantMessage): AssistantMessage | undefined {
  if (message.stopReason === "error") return undefined;
  const content =
    message.stopReason === "aborted" ? message.content.filter((each) => each.type !== "thinking") : message.content;
  const hasContent = content.some(
    (each) => each.type === "toolCall" || (each.type === "text" && each.text.trim() !== ""),
  );
  if (!hasContent) return undefined;
  return distinctCalls(content === message.content ? message : { ...message, content });
}

function withoutDetails(result: ToolResultMessage): ToolResultMessage {
  if (result.details === undefined) return result;
  const { details: _, ...rest } = result;
  return rest;
}

function toPlainMessage(message: Exclude<AgentMessage, AssistantMessage | ToolResultMessage>): Message | undefined {
  const { timestamp } = message;
  switch (message.role) {
    case "user":
      return isEmpty(message.content) ? undefined : message;
    case "developer":
      return isEmpty(message.content) ? undefined : message;
    case "bashExecution":
      return message.excludeFromContext ? undefined : { role: "user", content: bashText(message), timestamp };
    case "custom":
      return isEmpty(message.content) ? undefined : { role: "user", content: message.content, timestamp };
    case "branchSummary":
      return {
        role: "user",
        content: `Summary of an abandoned branch of this conversation:\n<summary>\n${message.summary}\n</summary>`,
        timestamp,
      };
    case "compactionSummary":
      return {
        role: "user",
        content: `The conversation before this point was summarised to save context:\n<summary>\n${message.summary}\n</summary>`,
        timestamp,
      };
  }
}

function isEmpty(content: string | (TextBlock | ImageBlock)[]): boolean {
  return content.length === 0;
}

function bashText(message: BashExecution): string {
  const lines = [`I ran \`${message.command}\``, "```", message.output.trimEnd(), "```"];
  if (message.cancelled) lines.push("It was cancelled.");
  else if (message.exitCode !== undefined && message.exitCode !== 0) {
    lines.push(`Command exited with code ${message.exitCode}`);
  }
  if (message.truncated && message.artifactId) lines.push(`The full output is in artifact://${message.artifactId}`);
  return lines.join("\n");
}
