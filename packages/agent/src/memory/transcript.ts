import type { AgentMessage } from "../contract/messages.ts";
import { textOf } from "../session-files/branch-session.ts";
import { openSessionStore } from "../session-files/open.ts";
import { scrub } from "./scrub.ts";

const LONGEST = 200_000;
const LONGEST_RESULT = 2000;

/** A session's transcript for the extraction, without secrets. `undefined` when it cannot be read or is empty. */
export function transcript(file: string): string | undefined {
  try {
    const store = openSessionStore(file, { readOnly: true });
    if (store.file !== file) return undefined;
    const lines = store.path().flatMap((entry) => (entry.type === "message" ? messageLines(entry.message) : []));
    return lines.length === 0 ? undefined : cutMiddle(scrub(lines.join("\n\n")));
  } catch {
    return undefined;
  }
}

function messageLines(message: AgentMessage): string[] {
  if (message.role === "user") return [`User: ${textOf(message.content)}`];
  if (message.role === "toolResult") {
    const text = textOf(message.content);
    return [`Result of ${message.toolName}${message.isError ? " (failed)" : ""}: ${text.slice(0, LONGEST_RESULT)}`];
  }
  if (message.role === "bashExecution")
    return [`User ran: ${message.command}\n${message.output.slice(0, LONGEST_RESULT)}`];
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [`Assistant: ${block.text}`];
    return block.type === "toolCall"
      ? [`Call of ${block.name}: ${JSON.stringify(block.arguments).slice(0, LONGEST_RESULT)}`]
      : [];
  });
}

/** Cuts the middle: the beginning holds the request, the end holds the result. */
function cutMiddle(text: string): string {
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return `${text.slice(0, half)}\n\n[${text.length - LONGEST} characters left out]\n\n${text.slice(-half)}`;
}
