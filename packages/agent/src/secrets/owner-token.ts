import { StreamRedaction } from "@gantry/models/stream-redaction";
import { type Environment, ownerTokens } from "../permissions/gantry-folders.ts";
import { mapTexts } from "./walk.ts";

const REDACTED = "[secret]";
/** How much of the published text is enough to recognise a token that began in it. */
const LAST = 8;

/**
 * Removes the token of the daemon's owner from the output of tools and commands, before the model, the log or the session
 * file receives it. Always on: this token gives full access to the machine.
 */
export type OwnerRedaction = {
  /** Redacts every text in the value. The token is read again each time, because it may change. */
  redact<Value>(value: Value): Value;
  /** For a text that arrives in pieces: a possible start of a token is held back until the next piece or the end. */
  stream(take: (text: string) => void): { push(delta: string): void; end(): void };
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
      const tokens = new StreamRedaction(ownerTokens(env));
      let published = "";
      let held = "";
      const send = (text: string) => {
        published = (published + text).slice(-LAST);
        if (text !== "") take(text);
      };
      return {
        push(delta) {
          const piece = tokens.push(published, held, delta);
          held = piece.held;
          send(piece.text);
        },
        end() {
          send(tokens.end(published, held));
          held = "";
        },
      };
    },
  };
}
