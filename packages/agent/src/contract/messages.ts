import type { ImageBlock, Message, TextBlock } from "@gantry/models";

/** A command that the user ran. The model sees it unless `excludeFromContext` is set. */
export type BashExecution = {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  artifactId?: string;
  excludeFromContext?: boolean;
  timestamp: number;
};
/** A message from the program or a host. Shown if `display`; the model gets it as a user message. */
export type CustomMessage = {
  role: "custom";
  customType: string;
  content: string | (TextBlock | ImageBlock)[];
  display: boolean;
  details?: unknown;
  timestamp: number;
};
export type BranchSummary = { role: "branchSummary"; summary: string; fromId: string; timestamp: number };
export type CompactionSummary = { role: "compactionSummary"; summary: string; tokensBefore: number; timestamp: number };

/** The text of the last answer that has content; `null` if there is none. */
export function lastAnswerText(messages: readonly AgentMessage[]): string | null {
  const last = messages.findLast((each) => each.role === "assistant" && each.content.length > 0);
  if (last?.role !== "assistant") return null;
  const text = last.content.map((each) => (each.type === "text" ? each.text : "")).join("");
  return text === "" ? null : text;
}

/** A message as a session stores it. `toModelMessages` (loop/to-model.ts) converts it for a model request. */
export type AgentMessage = Message | BashExecution | CustomMessage | BranchSummary | CompactionSummary;
