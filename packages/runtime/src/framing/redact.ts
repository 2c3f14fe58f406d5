/** Tokens of sessions and credentials of pages, which are recognised by their form. */
const TOKEN = /(?:gss_[A-Za-z0-9_-]{43}(?:\.ses_[A-Za-z0-9_.:#-]*[A-Za-z0-9_#-])?|gpc_[A-Za-z0-9_-]{43})/g;
const SECRET = "[secret]";

/** Spellings of secrets without a recognisable form: the owner tokens of the daemons in this process. */
let spellings: readonly string[] = [];

/**
 * Redacts a secret from all later output of agents and from the daemon's log, also in Base64 and hexadecimal, until the
 * returned function is called.
 */
export function registerSecret(secret: string): () => void {
  const added = spellingsOf(secret);
  spellings = [...spellings, ...added];
  return () => {
    spellings = spellings.filter((text) => !added.includes(text));
  };
}

/** Redacts tokens: an agent that prints its environment or reads our files prints them, which must not be logged or shown. */
export function hideTokens(text: string): string {
  let hidden = text;
  if (text.includes("gss_") || text.includes("gpc_"))
    hidden = text.replace(TOKEN, (token) => `${token.slice(0, 4)}[hidden]`);
  for (const spelling of spellings) if (hidden.includes(spelling)) hidden = hidden.replaceAll(spelling, SECRET);
  return hidden;
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
