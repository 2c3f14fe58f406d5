import { randomBytes } from "node:crypto";
import type { Delta } from "@gantry/protocol";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import { registerSecret } from "../../../framing/redact.ts";
import { EngineBench } from "./engine.fake.ts";

const token = randomBytes(32).toString("base64url");
const session = `gss_${randomBytes(32).toString("base64url")}`;
const release = registerSecret(token);
afterAll(release);

const item = "itm_1";
const channel = fc.constantFrom("text" as const, "reasoning" as const);
const pieces = fc
  .tuple(
    fc.string({ maxLength: 10 }),
    fc.constantFrom(token, session),
    fc.string({ maxLength: 10 }),
    fc.array(fc.nat()),
  )
  .map(([before, secret, after, cuts]) => split(before + secret + after, cuts));

function split(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

/** A running turn that has streamed the pieces. */
function stream(texts: readonly string[], to: Delta["channel"]): EngineBench {
  const bench = new EngineBench();
  bench.apply("send", { message: { id: "msg_1", text: "go", delivery: "auto" } } as never);
  for (const text of texts) bench.output({ kind: "delta", item, channel: to, text });
  return bench;
}

function done(to: "text" | "reasoning", text: string): Output {
  return {
    kind: "event",
    event: { type: to === "text" ? "message.done" : "reasoning.done", data: { item, text } },
  } as Output;
}

const streamed = (bench: EngineBench) =>
  bench.published.flatMap((entry) => (entry.type === "delta" ? [(entry as Delta).text] : [])).join("");

it("publishes no token that an agent streams in pieces, live or in the event that a decoder assembles", () => {
  fc.assert(
    fc.property(pieces, channel, (texts, to) => {
      const bench = stream(texts, to);
      expect(JSON.stringify([...bench.state.open.values()].map(({ text }) => text))).not.toContain(token);
      bench.output(done(to, texts.join("")));
      const everything = JSON.stringify(bench.published);
      expect(everything).not.toContain(token);
      expect(everything).not.toContain(session);
      expect(everything).not.toContain(token.slice(3));
      expect(everything).not.toContain(session.slice(3));
    }),
  );
});

it("publishes no token of a turn that ends in the middle of a text", () => {
  fc.assert(
    fc.property(pieces, channel, fc.nat(), (texts, to, cut) => {
      const bench = stream(texts.slice(0, cut % (texts.length + 1)), to);
      bench.apply("processLost", undefined as never);
      expect(JSON.stringify(bench.published)).not.toContain(token.slice(0, 20));
      expect(bench.state.open.size).toBe(0);
    }),
  );
});

it("publishes a text without a token at once and unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1 }), channel, (texts, to) => {
      fc.pre(!/g(ss|pc)_/.test(texts.join("")));
      const bench = stream(texts, to);
      expect(streamed(bench)).toBe(texts.join(""));
    }),
  );
});

it("publishes the end of a text that looked like the start of a token", () => {
  const bench = stream(["call gss_in", "it_sec"], "text");
  expect(streamed(bench)).toBe("call ");
  bench.output(done("text", "call gss_init_sec"));
  expect(streamed(bench)).toBe("call gss_init_sec");
});

it("stores no token in the raw event of an output that was cut", () => {
  const bench = stream([], "text");
  const text = `${token} ${"x".repeat(100_000)}`;
  bench.output({ kind: "event", event: { type: "notice", data: { kind: "agent", severity: "info", text } } });
  expect(bench.types()).toContain("raw");
  expect(JSON.stringify(bench.published)).not.toContain(token);
});
