import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hideTokens, registerSecret } from "./redact.ts";
import { hideSecrets } from "./secret-patterns.ts";

const token = randomBytes(32).toString("base64url");

it("redacts a registered secret in every spelling and at every place, until it is released", () => {
  const release = registerSecret(token);
  const part = fc.string({ maxLength: 20 });
  const encodings = [
    (text: string) => text,
    encodeURIComponent,
    JSON.stringify,
    (text: string) => Buffer.from(text).toString("base64"),
    (text: string) => Buffer.from(text).toString("base64url"),
    (text: string) => Buffer.from(text).toString("hex"),
    (text: string) => Buffer.from(text).toString("hex").toUpperCase(),
  ];
  fc.assert(
    fc.property(part, part, fc.constantFrom(...encodings), (before, after, encode) => {
      const ascii = (text: string) => text.replace(/[^ -~]/g, "");
      const printed = encode(`${ascii(before)}${token}${ascii(after)}`);
      const hidden = hideTokens(printed);
      expect(hidden).toContain("[secret]");
      expect(hidden).not.toContain(token);
      const decoded = ["base64", "base64url", "hex"].map((name) =>
        Buffer.from(hidden, name as "hex").toString("latin1"),
      );
      for (const text of decoded) expect(text).not.toContain(token);
    }),
  );
  release();
  expect(hideTokens(token)).toBe(token);
});

it("redacts tokens of sessions and credentials of pages by their form", () => {
  const text = `a gss_${"x".repeat(43)} b gpc_${"y".repeat(43)} c`;
  expect(hideTokens(text)).toBe("a gss_[hidden] b gpc_[hidden] c");
  expect(hideTokens("gss_ and gpc_ alone stay")).toBe("gss_ and gpc_ alone stay");
});

it.each([" ", "A", "TOKEN x ", "-----BEGIN PRIVATE KEY-----"])("hides a secret after a long text of %j", (unit) => {
  const long = unit.repeat(Math.ceil(200_000 / unit.length));
  const shown = hideSecrets(`${long}\nMY_API_KEY = 'abcdefgh12'`);
  expect(shown.slice(-40)).toMatch(/MY_API_KEY = '\[hidden\]'$/);
});
