import { type Environment, ownerTokens } from "../permissions/gantry-folders.ts";
import { mapTexts } from "./walk.ts";

const REDACTED = "[secret]";
/** A shorter beginning of a token tells nothing and occurs by chance. */
const SHORTEST_PART = 4;

/**
 * Takes the token of the daemon's owner out of what tools and commands print, before the model, the log or the session
 * file gets it. Always on: unlike other secrets this one opens the whole machine.
 */
export type OwnerRedaction = {
  /** The same value with every text in it redacted. The token is read again each time, since it may change. */
  redact<Value>(value: Value): Value;
  /** For a text that comes in pieces: what may be the beginning of a token is held back until the next piece. */
  stream(take: (text: string) => void): (delta: string) => void;
};

export function redactOwnerToken(env: Environment): OwnerRedaction {
  const redact = <Value>(value: Value): Value => {
    const tokens = ownerTokens(env);
    if (tokens.length === 0) return value;
    return mapTexts(value, (text) => tokens.reduce((left, token) => left.replaceAll(token, REDACTED), text)) as Value;
  };
  return {
    redact,
    stream(take) {
      const tokens = ownerTokens(env);
      let held = "";
      return (delta) => {
        const text = redact(held + delta);
        const cut = text.length - Math.max(0, ...tokens.map((token) => overlap(text, token)));
        held = text.slice(cut);
        if (cut > 0) take(text.slice(0, cut));
      };
    },
  };
}

/** How many characters at the end of the text are the beginning of the token. */
function overlap(text: string, token: string): number {
  for (let length = Math.min(text.length, token.length - 1); length >= SHORTEST_PART; length--)
    if (text.endsWith(token.slice(0, length))) return length;
  return 0;
}
