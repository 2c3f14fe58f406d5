import { createContext, Script } from "node:vm";
import type { Find } from "./finder.ts";

/** The time for one pattern over one request. A well-written pattern needs a few milliseconds. */
const TIME_MS = 200;
/** After so many texts used up a pattern's time, the remaining texts are withheld at once. */
const CHANCES = 3;

/** Spans by text; `undefined`: the search did not finish, so the text may contain a secret. */
export type Searched = (Find[] | undefined)[];

/**
 * Searches texts with patterns that a user wrote, which may backtrack forever. A pattern that exceeds its time is
 * interrupted, and the text that it was searching counts as not searched. `what` is the index of the pattern.
 */
export function makeSearch(patterns: readonly RegExp[]): (texts: readonly string[]) => Searched {
  if (patterns.length === 0) return (texts) => texts.map(() => []);
  const sandbox = createContext({ work: () => {} });
  const script = new Script("work()");
  /** The same texts occur in every request, so results are cached. */
  const stuck = new Set<string>();
  const runWithinLimit = (work: () => void): boolean => {
    sandbox.work = work;
    try {
      script.runInContext(sandbox, { timeout: TIME_MS });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
      throw error;
    }
  };
  return (texts) => {
    const found: Searched = texts.map((text) => (stuck.has(text) ? undefined : []));
    for (const [what, pattern] of patterns.entries()) {
      let at = 0;
      let chances = CHANCES;
      const work = () => {
        for (; at < texts.length; at++) search(texts[at] as string, pattern, what, found[at]);
      };
      while (at < texts.length && !runWithinLimit(work)) {
        const tooLong = chances-- > 0 ? [at] : [...texts.keys()].slice(at);
        for (const index of tooLong) {
          found[index] = undefined;
          stuck.add(texts[index] as string);
          at = index + 1;
        }
      }
    }
    return found;
  };
}

function search(text: string, pattern: RegExp, what: number, into: Find[] | undefined): void {
  if (!into) return;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    if (match[0] === "") pattern.lastIndex++;
    else into.push({ start: match.index, end, what });
  }
}
