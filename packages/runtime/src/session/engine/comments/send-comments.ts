import { type Comment, openComments, type SessionView } from "@gantry/protocol";
import { isSlashCommand } from "../prompts.ts";
import type { SessionStep } from "../step.ts";

/**
 * The open comments that a message takes along: those of a person's message. A slash command must reach the agent
 * unchanged, so its comments wait for the next message.
 */
export function commentsFor(view: SessionView, { author, text }: { author: string; text: string }): Comment[] {
  return author === "user" && !isSlashCommand(text) ? openComments(view) : [];
}

/** The text of a message with comments, as the agent gets it and the log shows it. */
export function withComments(text: string, comments: readonly Comment[]): string {
  if (comments.length === 0) return text;
  return `${text}\n\n${["Comments on the changes:", ...comments.map(describeComment)].join("\n\n")}`;
}

export function markSent(step: SessionStep, comments: readonly Comment[], message: string): void {
  for (const { comment } of comments) step.emit("comment.updated", { comment, state: "sent", message });
}

function describeComment({ path, line, endLine = line, side, quote, text, outdated }: Comment): string {
  const lines = endLine > line ? `lines ${line}–${endLine}` : `line ${line}`;
  const when = side === "old" ? " before the changes" : outdated ? ", which changed since" : "";
  const quoted = quote === "" ? [] : [quote.replace(/^/gm, "> ")];
  return [`\`${path}\`, ${lines}${when}:`, ...quoted, text].join("\n\n");
}
