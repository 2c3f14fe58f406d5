import { plainText, trimEndOf } from "@gantry/protocol";
import { countTerms } from "./terms.ts";
import { TITLE } from "./title-of.ts";

/** Answers of models that are not titles. */
const NO_TITLE = /^(?:i|i'm|i’m|sorry|as an|here is|here's|sure|title|unable|cannot|okay|ok)\b[\s,:'’]/i;
const LOOSE_START = /^[\s"'“”‘’«»`*_#>-]+/;
const LOOSE_END = /[\s.,;:!?…。，、；：！？"'“”‘’«»`*_-]/;

/** Cleans up a model's title; `undefined` if it does not have two to six terms. */
export function validTitle(text: string): string | undefined {
  const lines = plainText(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length !== 1) return undefined;
  const bare = (lines[0] ?? "").replace(/^title:\s*/i, "").replace(LOOSE_START, "");
  const title = trimEndOf(bare, LOOSE_END).replace(/\s+/g, " ");
  const count = countTerms(title);
  if (title.length > TITLE.length || count < TITLE.fewest || count > TITLE.most) return undefined;
  return NO_TITLE.test(title) || /:\/\//.test(title) ? undefined : title;
}
