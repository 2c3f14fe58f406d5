import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventStreamCodec } from "../testing/event-frames.ts";
import { EventStreamDecoder } from "./event-stream.ts";
import { JsonLinesDecoder } from "./json-lines.ts";
import { SseDecoder } from "./sse.ts";

/** A text in pieces, cut at these places. */
function cut<T extends { length: number; slice(from: number, to: number): T }>(whole: T, places: number[]): T[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  const ends = [...at, whole.length];
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}
const places = fc.array(fc.nat());
const line = fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, ""));

describe("server-sent events", () => {
  test("come out as they went in, wherever the network cuts, whichever way lines end", () => {
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
        const heard = [...cut(text, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
        expect(heard).toEqual(sent.map(({ event, data }) => ({ event, data: data.join("\n") })));
      }),
    );
  });

  test("the last one counts without its empty line", () => {
    const decoder = new SseDecoder();
    expect(decoder.push('data: {"a":1}')).toEqual([]);
    expect(decoder.flush()).toEqual([{ event: "", data: '{"a":1}' }]);
    expect(decoder.flush()).toEqual([]);
  });
});

test("JSON lines come out as they went in, with U+2028 inside", () => {
  const values = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })));
  fc.assert(
    fc.property(values, places, fc.boolean(), (sent, cuts, closed) => {
      const text = sent.map((value) => JSON.stringify(value)).join("\n") + (closed ? "\n" : "");
      const decoder = new JsonLinesDecoder();
      const heard = [...cut(text, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
      expect(heard.map(({ data }) => JSON.parse(data) as unknown)).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
  );
});

describe("AWS's event stream", () => {
  const messages = fc.array(fc.record({ event: fc.string({ maxLength: 40 }), data: fc.string({ unit: "binary" }) }));

  test("comes out as it went in, wherever the network cuts", () => {
    fc.assert(
      fc.property(messages, places, (sent, cuts) => {
        const bytes = Buffer.concat(sent.map(({ event, data }) => EventStreamCodec.event(event, data)));
        const decoder = new EventStreamDecoder();
        const heard = [...cut<Buffer>(bytes, cuts).flatMap((piece) => decoder.push(piece)), ...decoder.flush()];
        const wanted = sent.map(({ event, data }) => ({ event, data: Buffer.from(data).toString("utf8") }));
        expect(heard).toEqual(wanted);
      }),
    );
  });

  test("a byte that was changed is noticed", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (data, at, change) => {
        const bytes = EventStreamCodec.event("messageStart", data);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ change;
        const decoder = new EventStreamDecoder();
        const heard = [...decoder.push(bytes), ...decoder.flush()];
        expect(heard.map(({ event }) => event)).toEqual(["broken"]);
      }),
    );
  });

  test("nonsense never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (pieces) => {
        const decoder = new EventStreamDecoder();
        for (const piece of pieces) decoder.push(piece);
        decoder.flush();
      }),
    );
  });

  test("an exception is told apart from an event, and headers of other kinds are passed over", () => {
    const decoder = new EventStreamDecoder();
    expect(decoder.push(EventStreamCodec.exception("throttlingException", '{"message":"x"}'))).toEqual([
      { event: "exception:throttlingException", data: '{"message":"x"}' },
    ]);
    expect(decoder.push(EventStreamCodec.withOddHeaders("messageStop", "{}"))).toEqual([
      { event: "messageStop", data: "{}" },
    ]);
  });
});
