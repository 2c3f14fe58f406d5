import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventStreamCodec } from "../testing/event-frames.ts";
import { EventStreamDecoder } from "./event-stream.ts";
import { JsonLinesDecoder } from "./json-lines.ts";
import { SseDecoder } from "./sse.ts";

/** Splits a text at these offsets. */
function cut<T extends { length: number; slice(from: number, to: number): T }>(whole: T, places: number[]): T[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  const ends = [...at, whole.length];
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}
const places = fc.array(fc.nat());
const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, ""));

describe("server-sent events", () => {
  test("are decoded for any chunking and any line ending", () => {
    const events = fc.array(fc.record({ event: line, data: fc.array(line, { minLength: 1 }) }));
    fc.assert(
      fc.property(events, places, fc.constantFrom("\n", "\r\n", "\r"), (sent, cuts, end) => {
        const text = sent
          .map(
            ({ event, data }) =>
              `event: ${event}${end}: ping${end}${data.map((each) => `data: ${each}${end}`).join("")}${end}`,
          )
          .join("");
        const decoder = new SseDecoder();
        const received = [...cut(text, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
        expect(received).toEqual(sent.map(({ event, data }) => ({ event, data: data.join("\n") })));
      }),
    );
  });

  test("include the last event without its empty line", () => {
    const decoder = new SseDecoder();
    expect(decoder.push('data: {"a":1}')).toEqual([]);
    expect(decoder.flush()).toEqual([{ event: "", data: '{"a":1}' }]);
    expect(decoder.flush()).toEqual([]);
  });
});

test("decodes JSON lines for any chunking, also with U+2028", () => {
  const values = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })));
  fc.assert(
    fc.property(values, places, fc.boolean(), (sent, cuts, closed) => {
      const text = sent.map((value) => JSON.stringify(value)).join("\n") + (closed ? "\n" : "");
      const decoder = new JsonLinesDecoder();
      const received = [...cut(text, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
      expect(received.map(({ data }) => JSON.parse(data) as unknown)).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
  );
});

describe("AWS's event stream", () => {
  const messages = fc.array(fc.record({ event: fc.string({ maxLength: 40 }), data: fc.string({ unit: "binary" }) }));

  test("is decoded for any chunking", () => {
    fc.assert(
      fc.property(messages, places, (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(({ event, data }) => EventStreamCodec.event(event, data)));
        const decoder = new EventStreamDecoder();
        const received = [...cut<Buffer>(bytes, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
        const expected = sent.map(({ event, data }) => ({ event, data: Buffer.from(data).toString("utf8") }));
        expect(received).toEqual(expected);
      }),
    );
  });

  test("detects a changed byte", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (data, at, change) => {
        const bytes = EventStreamCodec.event("messageStart", data);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        const decoder = new EventStreamDecoder();
        const received = [...decoder.push(bytes), ...decoder.flush()];
        expect(received.map(({ event }) => event)).toEqual(["broken"]);
      }),
    );
  });

  test("never throws for random bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        const decoder = new EventStreamDecoder();
        for (const piece of pieces) decoder.push(piece);
        decoder.flush();
      }),
    );
  });

  test("distinguishes exceptions from events and skips headers of other types", () => {
    const decoder = new EventStreamDecoder();
    expect(decoder.push(EventStreamCodec.exception("throttlingException", '{"message":"x"}'))).toEqual([
      { event: "exception:throttlingException", data: '{"message":"x"}' },
    ]);
    expect(decoder.push(EventStreamCodec.withOddHeaders("messageStop", "{}"))).toEqual([
      { event: "messageStop", data: "{}" },
    ]);
  });
});
