import type { HandoffStrategy } from "@gantry/protocol";

/** What a conversation that goes on without its native memory is told before the user's next message. */
export function rebuildPreface(brief: string): string {
  return `This conversation was begun earlier and goes on here. What is known of it:\n\n${brief}\n\nThe next message of the user:`;
}

export type HandoffWords = {
  strategy: HandoffStrategy;
  /** The name of the agent before; `undefined` when it is the same one. */
  from?: string;
  brief: string;
  prompt?: string;
};

/** The message that a handoff begins with. */
export function handoffText({ strategy, from, brief, prompt }: HandoffWords): string {
  const missing = prompt !== undefined && !isIn(brief, prompt) ? prompt : undefined;
  if (brief.trim() === "") return prompt ?? "Go on.";
  return [introduction(strategy, from), brief, missing && `The next instruction of the user:\n\n${missing}`]
    .filter((part) => part)
    .join("\n\n");
}

function introduction(strategy: HandoffStrategy, from: string | undefined): string {
  if (!from) return "This conversation goes on here.";
  if (strategy === "resume") {
    return `You are back in this session. ${from} worked on it in between; this is what happened since you left:`;
  }
  return `You take over a session that ${from} worked on. This brief was made from its log; the files are as they are on disk.`;
}

/** Is every line of it there, in whatever way it is quoted? */
function isIn(brief: string, prompt: string): boolean {
  const lines = new Set(brief.split(/\r?\n/).map((line) => line.replace(/^>\s?/, "").trim()));
  return prompt.split(/\r?\n/).every((line) => lines.has(line.trim()));
}
