import type { AgentMessage } from "../contract/messages.ts";

/** Longer outputs do not improve a summary. */
const OUTPUT_MOST = 2_000;

export const SUMMARISER =
  "You summarise a conversation between a user and a coding agent, so that the agent can continue with only your summary. You do not answer or continue the conversation. Write only the summary.";

const SHAPE = `Write under these headings, and leave out those that have nothing under them:
## Goal
What the user wants, quoted where the exact text matters, with everything they required or excluded.
## State
What is done (with paths, names and commands), what is being done, what is left.
## Decisions
What was decided and why.
## Facts
Findings that are needed to continue: exact paths, names, signatures, error texts, numbers.
## Next
What to do first.
Be exact. Keep every path, name and number that may be needed. Omit what no longer matters.`;

export function historyPrompt(conversation: string, earlier: string | undefined, instructions?: string): string {
  const extra = instructions ? `\nInstructions from the user for the summary: ${instructions}` : "";
  if (earlier === undefined) return `${wrapInTag("conversation", conversation)}\n\n${SHAPE}${extra}`;
  return `${wrapInTag("summary-so-far", earlier)}\n\n${wrapInTag("conversation-since", conversation)}\n\nUpdate the summary with what happened since: keep what is still valid, add what is new, correct what has changed.\n${SHAPE}${extra}`;
}

export function turnPrompt(conversation: string, instructions?: string): string {
  const extra = instructions ? ` Instructions from the user: ${instructions}` : "";
  return `${wrapInTag("beginning-of-a-turn", conversation)}\n\nThis is the beginning of a turn; its end stays in the conversation unchanged. State in a few lines what the user asked for, what was done so far, and what is needed to understand the rest.${extra}`;
}

export const HANDOFF_PROMPT = `Another agent continues this work in a new session and knows nothing of this one. Write the document that it starts with.\n${SHAPE}\nDo not call tools. Write only the document.`;

function wrapInTag(name: string, text: string): string {
  return `<${name}>\n${text}\n</${name}>`;
}

/** Messages as plain text, so that a model reads them instead of answering them. */
export function transcriptText(messages: readonly AgentMessage[]): string[] {
  return messages.map(messageText).filter((text) => text !== "");
}

function messageText(message: AgentMessage): string {
  switch (message.role) {
    case "user":
      return `[User]: ${renderContent(message.content)}`;
    case "developer":
    case "custom":
      return `[Note]: ${renderContent(message.content)}`;
    case "assistant":
      return message.stopReason === "error" ? "" : `[Agent]: ${renderContent(message.content)}`;
    case "toolResult":
      return `[Result of ${message.toolName}${message.isError ? ", failed" : ""}]: ${shortenOutput(renderContent(message.content))}`;
    case "bashExecution":
      return message.excludeFromContext ? "" : `[User ran ${message.command}]: ${shortenOutput(message.output)}`;
    case "branchSummary":
    case "compactionSummary":
      return `[Summary]: ${message.summary}`;
  }
}

type Content = Extract<AgentMessage, { content: unknown }>["content"];

function renderContent(content: Content): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "image") return "[picture]";
      if (block.type === "toolCall") return `[calls ${block.name} ${shortenOutput(JSON.stringify(block.arguments))}]`;
      return "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

function shortenOutput(text: string): string {
  return text.length <= OUTPUT_MOST
    ? text
    : `${text.slice(0, OUTPUT_MOST)} [… ${text.length - OUTPUT_MOST} more characters]`;
}
