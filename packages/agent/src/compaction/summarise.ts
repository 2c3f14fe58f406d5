import type { Usage } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";
import type { Cut } from "./cut.ts";
import { historyPrompt, transcriptText, turnPrompt } from "./prompts.ts";

/** Requests a text from a model. Rejects with a message for people if there is none. */
export type AskText = (prompt: string, signal: AbortSignal) => Promise<{ text: string; usage: Usage }>;

export type Summary = { text: string; usage: Usage };

/**
 * Summarises the messages that a cut removes. An earlier summary is updated, never summarised again. A history too long
 * for one request is sent in pieces, each of which updates the summary so far.
 */
export async function summarise(
  cut: Cut,
  options: { earlier?: string; instructions?: string; mostCharacters: number },
  ask: AskText,
  signal: AbortSignal,
): Promise<Summary> {
  const usages: Usage[] = [];
  const askAndCount = async (prompt: string) => {
    const { text, usage } = await ask(prompt, signal);
    usages.push(usage);
    return text.trim();
  };
  let summary = options.earlier;
  for (const piece of pieces(cut.history, options.mostCharacters)) {
    summary = await askAndCount(historyPrompt(piece, summary, options.instructions));
  }
  const parts = summary === undefined ? [] : [summary];
  const [prefix] = pieces(cut.turnPrefix, options.mostCharacters);
  if (prefix !== undefined)
    parts.push(`## The turn that continues below\n${await askAndCount(turnPrompt(prefix, options.instructions))}`);
  return { text: parts.join("\n\n"), usage: sumUsage(usages) };
}

function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (of: (usage: Usage) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  const cost = (of: keyof Usage["cost"]) => sum((usage) => usage.cost[of]);
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cacheRead: sum(({ cacheRead }) => cacheRead),
    cacheWrite: sum(({ cacheWrite }) => cacheWrite),
    totalTokens: sum(({ totalTokens }) => totalTokens),
    cost: {
      input: cost("input"),
      output: cost("output"),
      cacheRead: cost("cacheRead"),
      cacheWrite: cost("cacheWrite"),
      total: cost("total"),
    },
  };
}

function pieces(messages: readonly AgentMessage[], most: number): string[] {
  const out: string[] = [];
  let piece = "";
  for (const text of transcriptText(messages)) {
    const next = text.slice(0, most);
    if (piece !== "" && piece.length + next.length > most) {
      out.push(piece);
      piece = "";
    }
    piece += piece === "" ? next : `\n\n${next}`;
  }
  return piece === "" ? out : [...out, piece];
}
