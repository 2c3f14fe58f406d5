import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, patternOf } from "./entries.ts";
import { makeOpener, openText } from "./open.ts";
import { makeSealer } from "./seal.ts";
import { mapTexts } from "./walk.ts";

const salt = Buffer.alloc(32, 1);
const plainEntries = (...contents: string[]): Entry[] =>
  contents.map((content) => ({ type: "plain", content, mode: "obfuscate" }));
const sealer = (...contents: string[]) => {
  const made = makeSealer(plainEntries(...contents), salt);
  const open = (value: unknown) => mapTexts(value, (text, json) => openText(text, made.names, json));
  return { ...made, open };
};
const textsOf = (value: unknown) => {
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
};

/** Few letters, so that secrets overlap, repeat, and meet fences and quotes. */
const letter = fc.constantFrom(...'ab#\\"\nu0é§');
const secret = fc.string({ unit: letter, minLength: 4, maxLength: 7 });
const bodyOf = (secrets: readonly string[]) => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: letter, maxLength: 5 }), fc.constantFrom(...secrets)), { maxLength: 5 })
    .map((pieces) => pieces.join(""));
  const json = fc.dictionary(fc.constantFrom("a", "b"), text).map((value) => JSON.stringify(value));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.constant(null),
      fc.record({ arguments: json }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 }),
    ),
  }));
  return value;
};
const secretsAndBody = fc
  .uniqueArray(secret, { minLength: 1, maxLength: 5 })
  .chain((secrets) => fc.tuple(fc.constant(secrets), bodyOf(secrets)));

test("law: no secret is left in any text or key, and opening gives back exactly what was sealed", () => {
  fc.assert(
    fc.property(secretsAndBody, ([secrets, body]) => {
      const { seal, open } = sealer(...secrets);
      const sealed = seal(body);
      for (const text of textsOf(sealed)) for (const one of secrets) expect(text).not.toContain(one);
      expect(open(sealed)).toEqual(body);
      expect(seal(sealed)).toBeDefined();
    }),
    { numRuns: 500 },
  );
});

test("law: the same holds after serialisation, with any secret that JSON does not escape", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-"), minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), fc.json(), (secrets, noise) => {
      const { seal } = sealer(...secrets);
      const body = {
        system: secrets.join(" "),
        [secrets[0]!]: [JSON.parse(noise), { arguments: JSON.stringify(secrets) }],
      };
      const sent = JSON.stringify(seal({ body, number: null }));
      // The field names of the body itself are not secrets.
      for (const one of secrets) if (!"system arguments number body".includes(one)) expect(sent).not.toContain(one);
    }),
  );
});

test("law: a stream opens to the same text, however it is cut into pieces", () => {
  fc.assert(
    fc.property(secretsAndBody, fc.infiniteStream(fc.integer({ min: 1, max: 6 })), ([secrets, body], sizes) => {
      const { seal, names } = sealer(...secrets);
      for (const text of textsOf(seal(body))) {
        const opener = makeOpener(names, false);
        let out = "";
        let at = 0;
        while (at < text.length) {
          const size = sizes.next().value;
          out += opener.push(text.slice(at, at + size));
          at += size;
        }
        expect(out + opener.end()).toBe(openText(text, names, false));
      }
    }),
  );
});

test("derives a name from the secret only: not from its place, the other secrets, or the process", () => {
  const one = sealer("first-secret").seal("my first-secret");
  expect(sealer("other-secret", "first-secret").seal("my first-secret")).toBe(one);
  expect(one).toMatch(/^my #[A-Z0-9]{8}#$/);
  const salted = makeSealer(plainEntries("first-secret"), randomBytes(32)).seal("my first-secret");
  expect(salted).not.toBe(one);
});

test("leaves a text that looks like a name unchanged", () => {
  const { seal, open } = sealer("first-secret");
  const name = seal("first-secret") as string;
  for (const body of [{ user: `what is ${name}?`, key: "first-secret" }, `${name.slice(0, -1)}first-secret`]) {
    const sealed = seal(body);
    expect(JSON.stringify(sealed)).not.toContain("first-secret");
    expect(open(sealed)).toEqual(body);
  }
});

test("arguments in JSON text stay JSON, and secrets with quotes and lines have the same name there", () => {
  const pem = '-----BEGIN "KEY"-----\nabc\\def\n';
  const { seal, open, names } = sealer(pem);
  const body = { text: pem, function: { arguments: JSON.stringify({ file: pem, n: 1 }) } };
  const sealed = seal(body) as typeof body;
  expect(JSON.parse(sealed.function.arguments)).toEqual({ file: sealed.text, n: 1 });
  expect(open(sealed)).toEqual(body);
  const opener = makeOpener(names, true);
  const streamed = [...sealed.function.arguments].map((letter) => opener.push(letter)).join("") + opener.end();
  expect(JSON.parse(streamed)).toEqual({ file: pem, n: 1 });
});

test("base64, percent-encoded and JSON-escaped forms are covered; pictures are left alone", () => {
  const secret = 'pass"word/über';
  const { seal, open } = sealer(secret);
  const forms = [Buffer.from(secret).toString("base64"), encodeURIComponent(secret), JSON.stringify(secret)];
  const sealed = seal(forms) as string[];
  for (const [index, form] of forms.entries()) expect(sealed[index]).not.toContain(form.replaceAll(/^"|=|"$/g, ""));
  expect(open(sealed)).toEqual(forms);
  const picture = Buffer.from(secret.repeat(20)).toString("base64");
  const pictures = [
    { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
    { type: "image_url", image_url: { url: `data:image/png;base64,${picture}` } },
    { inlineData: { mimeType: "image/png", data: picture } },
    { role: "user", images: [picture] },
  ];
  expect(seal(pictures)).toBe(pictures);
  expect(seal({ data: picture })).not.toEqual({ data: picture });
});

test("replace: uses a dummy of the same length or the given replacement, one way; skips a replacement that holds a secret", () => {
  const entries: Entry[] = [
    { type: "plain", content: "hunter22", mode: "replace" },
    { type: "plain", content: "hunter33", mode: "replace", replacement: '"***"' },
    { type: "plain", content: "hunter44", mode: "replace", replacement: "was hunter22" },
    {
      type: "regex",
      content: "",
      pattern: patternOf("/POSTGRES:\\/\\/\\S+/i"),
      mode: "replace",
      replacement: "postgres://***",
    },
  ];
  const { seal, names } = makeSealer(entries, salt);
  const [a, b, c, d] = seal(["hunter22", "hunter33", "hunter44", "at postgres://u:p@h/db now"]) as string[];
  expect(a).toMatch(/^[A-Z0-9]{8}$/);
  expect([b, d]).toEqual(['"***"', "at postgres://*** now"]);
  expect(c).toMatch(/^[A-Z0-9]{8}$/);
  expect(seal("hunter22")).toBe(a);
  expect(openText(a!, names, false)).toBe(a);
  expect(seal({ arguments: '{"p":"hunter33"}' })).toEqual({ arguments: '{"p":"\\"***\\""}' });
});

test("covers and opens the matches of a pattern; where one overlaps a secret, both are covered", () => {
  const entries: Entry[] = [
    ...plainEntries("topsecret"),
    { type: "regex", content: "", pattern: patternOf("AKIA[0-9A-Z]{16}"), mode: "obfuscate" },
    { type: "regex", content: "", pattern: patternOf("secret-\\w*|x*"), mode: "obfuscate" },
  ];
  const { seal, names } = makeSealer(entries, salt);
  const text = "AKIAABCDEFGHIJKLMNOP and topsecret-tail";
  const sealed = seal(text) as string;
  expect(sealed).toMatch(/^#\w{8}# and #\w{8}#$/);
  expect(openText(sealed, names, false)).toBe(text);
});

test("stops a pattern that takes forever: withholds that text and sends the others", () => {
  const entries: Entry[] = [
    ...plainEntries("topsecret"),
    { type: "regex", content: "", pattern: patternOf("^(a+)+$"), mode: "obfuscate" },
  ];
  const { seal } = makeSealer(entries, salt);
  const evil = `${"a".repeat(50)}!topsecret`;
  const first = seal({ evil, good: "aaaa", other: "topsecret!" }) as Record<string, string>;
  expect(first.evil).toContain("withheld");
  expect(first.good).toMatch(/^#\w{8}#$/);
  expect(first.other).toMatch(/^#\w{8}#!$/);
  const many = seal(Array.from({ length: 200 }, (_, index) => `${index}\n${evil}${index}`)) as string[];
  expect(many.join()).not.toContain("topsecret");
});

test("handles invalid JSON", () => {
  const { seal } = sealer("topsecret");
  const circle: Record<string, unknown> = { a: "topsecret" };
  circle.self = circle;
  expect(JSON.stringify(seal(circle))).not.toContain("topsecret");
  let deep: unknown = "topsecret";
  for (let level = 0; level < 50_000; level++) deep = [deep];
  expect(seal(deep)).toBeDefined();
  const odd = JSON.parse('{"__proto__": {"x": "topsecret"}, "constructor": 1}');
  expect(Object.keys(seal(odd) as object)).toEqual(["__proto__", "constructor"]);
  expect(JSON.stringify(seal(odd))).not.toContain("topsecret");
  const bytes = { bytes: new Uint8Array([1, 2]), n: undefined, d: 1n };
  expect(seal(bytes)).toBe(bytes);
});

test("searches for a hundred secrets in a fraction of the time of separate searches", () => {
  const secrets = Array.from({ length: 100 }, () => `sk-${randomBytes(18).toString("base64url")}`);
  const vocabulary = "the quick brown fox jumps over the lazy dog and reads key=value pairs from /etc/config ".split(
    " ",
  );
  let text = "";
  for (let at = 0; text.length < 1 << 20; at++) text += `${vocabulary[(at * 7 + (at >> 3)) % vocabulary.length]} `;
  const half = text.length >> 1;
  text = `${text.slice(0, half)} ${secrets[50]} ${text.slice(half)}`;
  const messages = Array.from({ length: 64 }, (_, index) => ({ text: text.slice(index * 16384, (index + 1) * 16384) }));
  const { seal } = sealer(...secrets);
  const names = secrets.map((_, index) => `#AAAA${1000 + index}#`);
  const sealNaively = () =>
    messages.map((message) => ({
      text: secrets.reduce((now, one, index) => now.replaceAll(one, names[index]!), message.text),
    }));
  const measureBest = (run: () => unknown) => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 15; round++) {
      const start = performance.now();
      run();
      least = Math.min(least, performance.now() - start);
    }
    return least;
  };
  const [ours, floor] = [measureBest(() => seal({ messages })), measureBest(sealNaively)];
  if (process.env.GANTRY_BENCH) console.log(`seal ${ours.toFixed(2)} ms, one by one ${floor.toFixed(2)} ms`);
  expect(JSON.stringify(seal({ messages }))).not.toContain(secrets[50]);
  expect(ours).toBeLessThan(floor / 3);
});
