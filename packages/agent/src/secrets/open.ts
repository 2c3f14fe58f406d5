import { escapeJson } from "./json-text.ts";
import { isBody, type Placeholders } from "./placeholders.ts";

/** Replaces names with their secrets. With `json` they are escaped for JSON. */
export function openText(text: string, names: Placeholders, json: boolean): string {
  const { out, done } = openNames(text, names, json);
  return done === 0 ? text : out + text.slice(done);
}

/** Opens a text that arrives in pieces. A possible start of a name is held back until it is complete. */
export type Opener = { push(delta: string): string; end(): string };

export function makeOpener(names: Placeholders, json: boolean): Opener {
  let held = "";
  return {
    push(delta) {
      const text = held + delta;
      const { out, done } = openNames(text, names, json);
      const cut = partialNameStart(text, done, names);
      held = text.slice(cut);
      return out + text.slice(done, cut);
    },
    end() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

/** Everything up to the end of the last name in the text. */
function openNames(text: string, names: Placeholders, json: boolean): { out: string; done: number } {
  const { fence, length } = names;
  let out = "";
  let done = 0;
  let at = text.indexOf(fence);
  while (at >= 0) {
    const covered = names.findCovered(text.slice(at, at + length));
    if (covered) {
      out += text.slice(done, at) + (json && !covered.verbatim ? escapeJson(covered.text) : covered.text);
      done = at + length;
    }
    at = text.indexOf(fence, covered ? done : at + 1);
  }
  return { out, done };
}

/** The index near the end of the text where an incomplete name may start. */
function partialNameStart(text: string, done: number, { fence, length }: Placeholders): number {
  const from = Math.max(done, text.length - length + 1);
  for (let at = text.indexOf(fence, from); at >= 0; at = text.indexOf(fence, at + 1))
    if (isBody(text.slice(at + 1), false)) return at;
  return text.length;
}
