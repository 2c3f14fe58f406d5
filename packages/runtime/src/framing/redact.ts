import { StreamRedaction } from "@gantry/models/stream-redaction";

/** Tokens of sessions and credentials of pages, which are recognised by their form. */
const TOKEN = /(?:gss_[A-Za-z0-9_-]{43}(?:\.ses_[A-Za-z0-9_.:#-]*[A-Za-z0-9_#-])?|gpc_[A-Za-z0-9_-]{43})/g;
const FORMS = ["gss_", "gpc_"].map((prefix) => ({ prefix, length: 43 }));
/** A shorter text contains no token of these forms. */
const SHORTEST_TOKEN = Math.min(...FORMS.map(({ prefix, length }) => prefix.length + length));
const SECRET = "[secret]";

/** Spellings of secrets without a recognisable form: the owner tokens of the daemons in this process. */
let spellings: readonly string[] = [];
/** A shorter text contains nothing to redact: true for most texts in an event. */
let shortest = SHORTEST_TOKEN;
/** Redacts the same tokens in texts that arrive in pieces: an agent may stream a token in several frames. */
export let tokenStreams = new StreamRedaction(spellings, FORMS);

function setSpellings(texts: readonly string[]): void {
  spellings = texts;
  shortest = Math.min(SHORTEST_TOKEN, ...texts.map(({ length }) => length));
  tokenStreams = new StreamRedaction(texts, FORMS);
}

/**
 * Redacts a secret from all later output of agents and from the daemon's log, also in Base64 and hexadecimal, until the
 * returned function is called.
 */
export function registerSecret(secret: string): () => void {
  const added = spellingsOf(secret);
  setSpellings([...spellings, ...added]);
  return () => setSpellings(spellings.filter((text) => !added.includes(text)));
}

/** Redacts tokens: an agent that prints its environment or reads our files prints them, which must not be logged or shown. */
export function hideTokens(text: string): string {
  if (text.length < shortest || !tokenStreams.mayContain(text)) return text;
  let hidden = text;
  if (text.includes("gss_") || text.includes("gpc_"))
    hidden = text.replace(TOKEN, (token) => `${token.slice(0, 4)}[hidden]`);
  for (const spelling of spellings) if (hidden.includes(spelling)) hidden = hidden.replaceAll(spelling, SECRET);
  return hidden;
}

const DEEPEST = 1000;

/**
 * Redacts tokens in every text of a value, for data that a decoder assembled from several frames. Unchanged parts are the same
 * objects. Never throws: a part that is nested too deeply is replaced.
 */
export function hideTokensIn<Value>(value: Value, depth = 0): Value {
  if (typeof value === "string") return hideTokens(value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[nested too deeply]" as Value;
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    const item: unknown = value[key];
    const hidden = hideTokensIn(item, depth + 1);
    if (hidden === item) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = hidden;
  }
  return (copy ?? value) as Value;
}

/**
 * The text itself, its bytes in hexadecimal, and the part of its Base64 forms that does not depend on the bytes around it,
 * for each of the three places that it can start at. Percent and JSON escapes do not change a token.
 */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].flatMap((lead) => {
    const whole = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const from = Math.ceil((lead * 8) / 6);
    const to = Math.floor(((lead + bytes.length) * 8) / 6);
    const sure = whole.slice(from, to);
    return [sure, sure.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [...new Set([secret, bytes.toString("hex"), bytes.toString("hex").toUpperCase(), ...encoded])];
}
