import { createHmac } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BODY = 8;
const FENCES = ["#", "§", "¤", "‡", "¦"];
const PRIVATE_USE = 0xe000;

/** The text that a placeholder replaces. `verbatim`: restored unchanged, also into JSON. */
export type Covered = { text: string; verbatim: boolean };

export type PlaceholderOptions = {
  salt: Buffer;
  /** Texts that must never appear in a request. */
  needles: readonly string[];
  /** Whether the text contains one of the needles. */
  hasNeedle(text: string): boolean;
};

/**
 * Placeholders for secrets. A placeholder derives from the secret, so it is the same in every session of the agent's
 * folder. The fence at both ends occurs in no needle, so a needle cannot form where a placeholder meets the text around it.
 */
export interface Placeholders {
  readonly fence: string;
  readonly length: number;
  /** Reserves placeholder-like names that already occur in these texts: secrets that had such a name get another one. */
  avoid(texts: readonly string[]): void;
  nameOf(covered: Covered): string;
  /** A deterministic dummy of the same length. */
  dummyOf(text: string): string;
  findCovered(name: string): Covered | undefined;
}

export function makePlaceholders({ salt, needles, hasNeedle }: PlaceholderOptions): Placeholders {
  const fence = freeFence(needles);
  const names = new Map<string, string>();
  const meanings = new Map<string, Covered>();
  const dummies = new Map<string, string>();
  let taken = new Set<string>();
  const avoid = (texts: readonly string[]) => {
    taken = new Set();
    for (const text of texts) collect(text, fence, taken);
    for (const [key, name] of names) {
      if (!taken.has(name.slice(1, -1))) continue;
      names.delete(key);
      meanings.delete(name);
    }
  };
  const nameOf = (covered: Covered) => {
    const key = `${covered.verbatim ? "v" : "t"}${covered.text}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    for (let round = 0; ; round++) {
      const body = letters(salt, `name ${round} ${key}`, BODY);
      const name = fence + body + fence;
      if (taken.has(body) || meanings.has(name) || hasNeedle(body)) continue;
      names.set(key, name);
      meanings.set(name, covered);
      return name;
    }
  };
  const dummyOf = (text: string) => {
    const known = dummies.get(text);
    if (known !== undefined) return known;
    let dummy = "";
    // For a text of a few characters every candidate may contain a needle; the last one is used then.
    for (let round = 0; round < 100 && (round === 0 || hasNeedle(dummy) || dummy === text); round++)
      dummy = letters(salt, `dummy ${round} ${text}`, text.length);
    dummies.set(text, dummy);
    return dummy;
  };
  return { fence, length: BODY + 2, avoid, nameOf, dummyOf, findCovered: (name) => meanings.get(name) };
}

function freeFence(needles: readonly string[]): string {
  const isFree = (fence: string) => !needles.some((needle) => needle.includes(fence));
  const usual = FENCES.find(isFree);
  if (usual !== undefined) return usual;
  let code = PRIVATE_USE;
  while (!isFree(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

/** Collects the bodies of names that touch a fence on either side. */
function collect(text: string, fence: string, into: Set<string>): void {
  for (let at = text.indexOf(fence); at >= 0; at = text.indexOf(fence, at + 1)) {
    for (const body of [text.slice(at + 1, at + 1 + BODY), text.slice(Math.max(0, at - BODY), at)])
      if (isBody(body)) into.add(body);
  }
}

export function isBody(text: string, whole = true): boolean {
  if (whole ? text.length !== BODY : text.length > BODY) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= 65 && code <= 90) || (code >= 48 && code <= 57))) return false;
  }
  return true;
}

function letters(salt: Buffer, text: string, length: number): string {
  let out = "";
  for (let block = 0; out.length < length; block++) {
    for (const byte of createHmac("sha256", salt).update(`${block} ${text}`).digest()) {
      if (out.length < length) out += LETTERS[byte % LETTERS.length];
    }
  }
  return out;
}
