import type { ThinkingLevel } from "../model.ts";
import { isThinkingLevel } from "../thinking-levels.ts";

/** A selector with and without the level after its last colon. Ids may contain colons too. */
export type Selector = { whole: string; base: string; level?: ThinkingLevel };

export function parseSelector(text: string): Selector {
  const whole = text.trim();
  const colon = whole.lastIndexOf(":");
  const level = whole.slice(colon + 1).toLowerCase();
  if (colon <= 0 || !isThinkingLevel(level)) return { whole, base: whole };
  return { whole, base: whole.slice(0, colon), level };
}

/** `gantry/executor` is the role `executor`. */
export function roleOf(selector: string): string | undefined {
  return /^(?:gantry|pi)\/([\w.-]+)$/.exec(selector)?.[1];
}

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** `*` matches any text, including slashes, and `?` one character. Linear: takes the first match of each piece. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  return (text) => {
    if (!matchesAt(head, text, 0)) return false;
    if (tail === undefined) return head.length === text.length;
    let at = head.length;
    for (const piece of rest) {
      at = indexOf(piece, text, at);
      if (at < 0) return false;
      at += piece.length;
    }
    const end = text.length - tail.length;
    return end >= at && matchesAt(tail, text, end);
  };
}

function indexOf(piece: string, text: string, from: number): number {
  if (!piece.includes("?")) return text.indexOf(piece, from);
  for (let at = from; at + piece.length <= text.length; at++) if (matchesAt(piece, text, at)) return at;
  return -1;
}

function matchesAt(piece: string, text: string, at: number): boolean {
  if (!piece.includes("?")) return text.startsWith(piece, at);
  if (at + piece.length > text.length) return false;
  for (let i = 0; i < piece.length; i++) if (piece[i] !== "?" && piece[i] !== text[at + i]) return false;
  return true;
}
