import type { TextHelper } from "../text-helper/port.ts";
import { validTitle } from "../titles/valid-title.ts";
import { LONGEST_NAME, slugOf } from "./names.ts";

const LONGEST_PROMPT = 3000;

/** Asks the text helper for a lane name. `undefined` without a helper or a usable answer. Never throws. */
export async function suggestName(
  helper: TextHelper,
  prompt: string,
  agent: string | undefined,
): Promise<string | undefined> {
  if (!helper.available || prompt.trim() === "") return undefined;
  const question = [
    "Name the branch for a piece of work: 2 to 5 English words, at most 40 characters, no punctuation.", // prose-ignore: a count
    "The name shows readers of a branch list what the work is about. Answer with the name alone.",
    "-----",
    prompt.slice(0, LONGEST_PROMPT),
    "-----",
  ].join("\n");
  const answer = await helper.ask("lane-name", question, { maxChars: 200, ...(agent ? { agent } : {}) });
  const title = answer === undefined ? undefined : validTitle(answer.replace(/[-_/]+/g, " "));
  return title && title.length <= LONGEST_NAME ? slugOf(title) : undefined;
}
