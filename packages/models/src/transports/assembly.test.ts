import fc from "fast-check";
import { expect, test } from "vitest";
import { Assembly, type Ending } from "./assembly.ts";
import { contractViolations, modelOf, WRITE } from "./testing/ask-model.ts";

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

test("keeps the event contract and the content for any order of reader calls", () => {
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
      expect(contractViolations(events)).toEqual([]);
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

test("keeps the first failure, and reports an abort as aborted", () => {
  const assembly = new Assembly(model, "off");
  assembly.fail({ category: "aborted", message: "stop" });
  assembly.fail({ category: "server", message: "later" });
  expect(assembly.finish().at(-1)).toMatchObject({
    type: "error",
    message: { stopReason: "aborted", errorMessage: "stop" },
  });
});

test("accepts a response with an unknown stop reason and records the reason", () => {
  const assembly = new Assembly(model, "off");
  assembly.text("a", "hello");
  assembly.end("unknown", "eos_reached");
  expect(assembly.finish().at(-1)).toMatchObject({
    type: "done",
    message: { stopReason: "stop", rawStopReason: "eos_reached" },
  });
});
