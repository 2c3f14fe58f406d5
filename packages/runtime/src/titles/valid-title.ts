import { plainText } from "@gantry/protocol";
import { TITLE } from "./title-of.ts";
import { countWords } from "./words.ts";

/** What a model says instead of a title. */
const NO_TITLE = /^(?:i|i'm|i’m|sorry|as an|here is|here's|sure|title|unable|cannot|okay|ok)\b[\s,:'’]/i;
const LOOSE_ENDS = /^[\s"'“”‘’«»`*_#>-]+|[\s.,;:!?…。，、；：！？"'“”‘’«»`*_-]+$/gu;

/** A title as a model gave it, made clean; `undefined` for one that is no title of two to six words. */
export function validTitle(text: string): string | undefined {
  const lines = plainText(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length !== 1) return undefined;
  const title = (lines[0] ?? "")
    .replace(/^title:\s*/i, "")
    .replace(LOOSE_ENDS, "")
    .replace(/\s+/g, " ");
  const words = countWords(title);
  if (title.length > TITLE.length || words < TITLE.fewest || words > TITLE.most) return undefined;
  return NO_TITLE.test(title) || /:\/\//.test(title) ? undefined : title;
}
