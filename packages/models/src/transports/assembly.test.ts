import fc from "fast-check";
import { expect, test } from "vitest";
import { Assembly, type Ending } from "./assembly.ts";
import { broken, modelOf, WRITE } from "./testing/asking.ts";

const model = modelOf("openai-completions", "http://x");
const slot = fc.constantFrom("a", "b", "c");
const step = fc.oneof(
  fc.tuple(fc.constant("text" as const), slot, fc.string()),
  fc.tuple(fc.constant("thinking" as const), slot, fc.string()),
  fc.tuple(fc.constant("call" as const), slot, fc.string()),
  fc.tuple(fc.constant("close" as const), slot, fc.constant("")),
  fc.tuple(fc.constant("mark" as const), slot, fc.string()),
);
const ending = fc.constantFrom<(Ending | undefined)[]>("stop", "length", "toolUse", "refused", "unknown", undefined);

test("whatever readers tell in whatever order, events keep their contract and the message holds what they said", () => {
  fc.assert(
    fc.property(fc.array(step), ending, (steps, end) => {
      const assembly = new Assembly(model, "off", [WRITE]);
      for (const [kind, name, text] of steps) {
        if (kind === "text") assembly.text(name, text);
        else if (kind === "thinking") assembly.thinking(name, text);
        else if (kind === "call") assembly.call(name, { id: text, name: text, delta: text });
        else if (kind === "close") assembly.close(name);
        else assembly.mark(name, { thinkingSignature: text });
      }
      if (end) assembly.end(end, "raw");
      const events = [{ type: "start" } as const, ...assembly.take(), ...assembly.finish()];
      expect(broken(events)).toEqual([]);
      const last = events.at(-1);
      if (last?.type !== "done" && last?.type !== "error") throw new Error("no end");
      const starts = events.filter((event) => event.type.endsWith("_start")).length;
      expect(last.message.content).toHaveLength(starts);
      const ends = events.flatMap((event) => (event.type === "text_end" ? [[event.index, event.text]] : []));
      const texts = last.message.content.flatMap((block, index) =>
        block.type === "text" ? [[index, block.text]] : [],
      );
      expect(ends.sort()).toEqual(texts.sort());
      if (!end || end === "refused") expect(last.message.stopReason).toBe("error");
    }),
    { numRuns: 500 },
  );
});

test("the first failure counts, and an abort is told as one", () => {
  const assembly = new Assembly(model, "off");
  assembly.fail({ category: "aborted", message: "stop" });
  assembly.fail({ category: "server", message: "later" });
  expect(assembly.finish().at(-1)).toMatchObject({
    type: "error",
    message: { stopReason: "aborted", errorMessage: "stop" },
  });
});

test("an unknown ending with an answer is an answer, and keeps the provider's word", () => {
  const assembly = new Assembly(model, "off");
  assembly.text("a", "hello");
  assembly.end("unknown", "eos_reached");
  expect(assembly.finish().at(-1)).toMatchObject({
    type: "done",
    message: { stopReason: "stop", rawStopReason: "eos_reached" },
  });
});
