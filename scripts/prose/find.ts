import { FIXED, NAME_PARTS, PHRASES } from "./phrases.ts";

export type Finding = { line: number; phrase: string; instead: string };

const PATTERNS = PHRASES.map(([pattern, instead]) => ({ regex: new RegExp(`\\b(?:${pattern})\\b`, "gi"), instead }));
const capitalised = NAME_PARTS.map((part) => part[0]?.toUpperCase() + part.slice(1));
const NAMES = new RegExp(
  `\\b(?:${NAME_PARTS.join("|")})(?=[A-Z_])|(?<=[a-z])(?:${capitalised.join("|")})(?![a-z])`,
  "g",
);

/** Every discouraged phrase in a text, in reading order. A line with `prose-ignore` in it is skipped: it quotes someone. */
export function findPhrases(text: string): Finding[] {
  return text.split("\n").flatMap((source, index) => {
    if (source.includes("prose-ignore")) return [];
    const line = FIXED.reduce((rest, fixed) => rest.replaceAll(fixed, ""), source);
    const phrases = PATTERNS.flatMap(({ regex, instead }) =>
      [...line.matchAll(regex)].map(([phrase]) => ({ line: index + 1, phrase, instead })),
    );
    const names = [...line.matchAll(NAMES)].map(([phrase]) => ({
      line: index + 1,
      phrase,
      instead: "a standard name",
    }));
    return [...phrases, ...names];
  });
}
