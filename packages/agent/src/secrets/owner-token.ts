import { type Environment, ownerTokens } from "../permissions/gantry-folders.ts";
import { mapTexts } from "./walk.ts";

const REDACTED = "[secret]";
/** A shorter prefix of a token reveals nothing and occurs by chance. */
const SHORTEST_PART = 4;

/**
 * Removes the token of the daemon's owner from the output of tools and commands, before the model, the log or the session
 * file receives it. Always on: this token gives full access to the machine.
 */
export type OwnerRedaction = {
  /** Redacts every text in the value. The token is read again each time, because it may change. */
  redact<Value>(value: Value): Value;
  /** For a text that arrives in pieces: a possible start of a token is held back until the next piece. */
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

/** How many characters at the end of the text are a prefix of the token. */
function overlap(text: string, token: string): number {
  for (let length = Math.min(text.length, token.length - 1); length >= SHORTEST_PART; length--)
    if (text.endsWith(token.slice(0, length))) return length;
  return 0;
}
