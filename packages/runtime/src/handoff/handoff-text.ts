import type { HandoffStrategy } from "@gantry/protocol";

/** The text before the next prompt of a conversation that is rebuilt from the log. */
export function rebuildPreface(brief: string): string {
  return `This conversation started earlier and continues here. A brief of it:\n\n${brief}\n\nThe next message of the user:`;
}

export type HandoffMessage = {
  strategy: HandoffStrategy;
  /** The name of the previous agent; `undefined` if it is the same one. */
  from?: string;
  brief: string;
  prompt?: string;
};

/** The first message of a handoff. */
export function handoffText({ strategy, from, brief, prompt }: HandoffMessage): string {
  const missing = prompt !== undefined && !isIn(brief, prompt) ? prompt : undefined;
  if (brief.trim() === "") return prompt ?? "Continue.";
  return [introduction(strategy, from), brief, missing && `The next instruction of the user:\n\n${missing}`]
    .filter((part) => part)
    .join("\n\n");
}

function introduction(strategy: HandoffStrategy, from: string | undefined): string {
  if (!from) return "This conversation continues here.";
  if (strategy === "resume") {
    return `You are back in this session. ${from} worked on it in between; this is what happened in the meantime:`;
  }
  return `You take over a session that ${from} worked on. This brief was made from its log; the files are on disk.`;
}

/** Does the brief contain every line of the prompt, quoted or not? */
function isIn(brief: string, prompt: string): boolean {
  const lines = new Set(brief.split(/\r?\n/).map((line) => line.replace(/^>\s?/, "").trim()));
  return prompt.split(/\r?\n/).every((line) => lines.has(line.trim()));
}
