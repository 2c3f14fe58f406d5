import type { Scribe } from "../scribe/port.ts";
import { validTitle } from "../titles/valid-title.ts";
import { LONGEST_NAME, slugOf } from "./names.ts";

const LONGEST_PROMPT = 3000;

/** A better name for a lane than its prompt's first words, where a scribe is there and has one. Never throws. */
export async function betterName(scribe: Scribe, prompt: string): Promise<string | undefined> {
  if (!scribe.available || prompt.trim() === "") return undefined;
  const asked = [
    "Name the branch for a piece of work: 2 to 5 English words, at most 40 characters, without punctuation.",
    "It names what the work is about, so that it can be told from others in a list. Answer with the words alone.",
    "-----",
    prompt.slice(0, LONGEST_PROMPT),
    "-----",
  ].join("\n");
  const answer = await scribe.ask("lane-name", asked, { maxChars: 200 });
  const words = answer === undefined ? undefined : validTitle(answer.replace(/[-_/]+/g, " "));
  return words && words.length <= LONGEST_NAME ? slugOf(words) : undefined;
}
