import fc from "fast-check";
import { expect, it } from "vitest";
import { Scrollback } from "./scrollback.ts";

it("gives back the last bytes of whatever was printed, each under its place", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), fc.nat(400), (pieces, from) => {
      const scrollback = new Scrollback(16);
      for (const piece of pieces) scrollback.append(piece);
      const whole = Buffer.concat(pieces);
      expect(scrollback.end).toBe(whole.length);
      expect(scrollback.start).toBe(Math.max(0, whole.length - 16));
      const { offset, bytes } = scrollback.read(from, 1000);
      expect(offset).toBe(Math.min(Math.max(from, scrollback.start), whole.length));
      expect(bytes.equals(whole.subarray(offset))).toBe(true);
    }),
  );
});

it("gives no more than it is asked for", () => {
  const scrollback = new Scrollback(8);
  scrollback.append(Buffer.from("abcdefghij"));
  expect(scrollback.read(0, 3)).toEqual({ offset: 2, bytes: Buffer.from("cde") });
  expect(scrollback.read(5, 100)).toEqual({ offset: 5, bytes: Buffer.from("fghij") });
  expect(scrollback.read(10, 100)).toEqual({ offset: 10, bytes: Buffer.alloc(0) });
});
