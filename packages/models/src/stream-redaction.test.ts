import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamRedaction } from "./stream-redaction.ts";

const secrets = [randomBytes(32).toString("base64url"), randomBytes(32).toString("hex"), "aaaaaaab", "abababababac"];
const forms = ["gss_", "gpc_"].map((prefix) => ({ prefix, length: 43 }));
const tokens = [...secrets, ...forms.map(({ prefix }) => prefix + randomBytes(32).toString("base64url"))];
const redaction = new StreamRedaction(secrets, forms);

/** Texts that begin like a secret and are none. */
const decoy = fc.constantFrom(
  ...tokens.map((token) => `${token.slice(0, 7)}!`),
  ...tokens.map((token) => token.slice(0, 3)),
  "gss_init_sec_context(",
  "aaaaaaa",
  "ababab ",
);
const plain = fc.oneof(fc.string({ maxLength: 12 }), decoy);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

function split(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

/** Every published piece, the end included. */
function publish(pieces: readonly string[]): string[] {
  const published: string[] = [];
  let held = "";
  for (const piece of pieces) {
    const redacted = redaction.push(published.join(""), held, piece);
    held = redacted.held;
    published.push(redacted.text);
  }
  return [...published, redaction.end(published.join(""), held)];
}

/** The longest part of the secret that the text contains. */
function longestPart(text: string, secret: string): number {
  for (let length = secret.length; length > 0; length--)
    for (let from = 0; from + length <= secret.length; from++)
      if (text.includes(secret.slice(from, from + length))) return length;
  return 0;
}

describe("a text in pieces", () => {
  it("never publishes a secret, however it is cut", () => {
    fc.assert(
      fc.property(plain, fc.constantFrom(...tokens), plain, cuts, (before, token, after, places) => {
        const published = publish(split(before + token + after, places)).join("");
        expect(published).not.toContain(token);
        expect(published).toContain("[secret]");
      }),
      { numRuns: 2000 },
    );
  });

  it("publishes at most a few characters of a secret", () => {
    const random = tokens.filter((token) => token.length > 40);
    fc.assert(
      fc.property(fc.constantFrom(...random), cuts, (token, places) => {
        const published = publish(split(`key: ${token} end`, places)).join("");
        expect(longestPart(published, token)).toBeLessThan(4);
      }),
      { numRuns: 500 },
    );
  });

  it("publishes one character after the other like the whole", () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokens), plain, (token, after) => {
        const published = publish([...`x ${token}${after}`]).join("");
        expect(published).not.toContain(token);
      }),
    );
  });

  it("is unchanged and complete without a secret", () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 8 }), cuts, (parts, places) => {
        const text = parts.join(" ");
        fc.pre(!tokens.some((token) => text.includes(token)));
        expect(publish(split(text, places)).join("")).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("holds back nothing but a proper prefix of a secret", () => {
    fc.assert(
      fc.property(plain, plain, (published, piece) => {
        const { text, held } = redaction.push(published, "", piece);
        if (held === "") return;
        const isStart = tokens.some((token) => token.startsWith(held)) || /^g(ss|pc)_[\w-]{0,42}$/.test(held);
        const continues = secrets.some((secret) => secret.startsWith(published.slice(-3).slice(-1) + held));
        expect(isStart || continues || held.length < 12).toBe(true);
        expect(text + held).toBe(piece);
      }),
    );
  });

  it("returns a piece without the start of a secret unchanged", () => {
    const piece = "x".repeat(100_000);
    expect(redaction.push("before", "", piece).text).toBe(piece);
  });

  it("redacts a long start of a secret at the end of the text, and nothing else", () => {
    expect(redaction.end("", secrets[0]!.slice(0, 20))).toBe("[secret]");
    expect(redaction.end("", "gss_init_sec_context")).toBe("gss_init_sec_context");
    expect(redaction.end("", secrets[0]!.slice(0, 5))).toBe(secrets[0]!.slice(0, 5));
  });
});
