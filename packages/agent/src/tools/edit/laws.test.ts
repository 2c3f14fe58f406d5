import fc from "fast-check";
import { expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { xxHash32 } from "../disk/anchor.ts";
import { decodeText, encodeText } from "../disk/encoding.ts";
import { applySplices, carriedOver, type Stretch } from "./hashline/apply.ts";
import { parseHashline } from "./hashline/parse.ts";
import { applyChunks } from "./patch/apply.ts";
import { parsePatch } from "./patch/parse.ts";
import { findPlaces } from "./replace/find.ts";

const onlyToolErrors = (run: () => void) => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
  }
};

test("a text is encoded back to its original bytes", () => {
  const text = fc
    .array(fc.constantFrom("a", "ü", "€", "😀", "\n", "\r\n", "\r", "\t"), { maxLength: 60 })
    .map((parts) => parts.join(""));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array)),
    text.map((value) => Buffer.from(value)),
    text.map((value) => Buffer.from(`\uFEFF${value}`)),
    text.map((value) => Buffer.from(`\uFEFF${value}`, "utf16le")),
    text.map((value) => Buffer.from(`\uFEFF${value}`, "utf16le").swap16()),
  );
  fc.assert(
    fc.property(bytes, (value) => {
      const decoded = decodeText(value);
      if (decoded) expect(encodeText(decoded.text, decoded.shape).equals(value)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("the hash is xxHash32", () => {
  expect(xxHash32(Buffer.from(""))).toBe(0x02cc5d05);
  expect(xxHash32(Buffer.from("a"))).toBe(0x550d7456);
  expect(xxHash32(Buffer.from("abc"))).toBe(0x32d153ff);
  expect(xxHash32(Buffer.from("Nobody inspects the spammish repetition"))).toBe(0xe2293b2f); // prose-ignore: a published test vector
});

test("a patch never makes the parser or the search throw anything but a ToolError", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      "*** Update File: a",
      "*** Add File: b",
      "*** Delete File: c",
      "*** Move to: d",
      "*** End of File",
      "@@",
      "@@ x",
      "@@ -1,2 +3,4 @@ y",
      " x",
      "+y",
      "-x",
      "-",
      "",
    ),
    fc.string(),
  );
  const lines = fc.array(line, { maxLength: 14 });
  fc.assert(
    fc.property(
      lines,
      fc.array(fc.constantFrom("x", "y", "", " x "), { maxLength: 6 }),
      fc.boolean(),
      (patch, file, wrap) => {
        const input = wrap ? ["*** Begin Patch", ...patch, "*** End Patch"].join("\n") : patch.join("\n");
        onlyToolErrors(() => {
          for (const part of parsePatch(input)) if (part.op === "update") applyChunks(file, part.chunks);
        });
      },
    ),
    { numRuns: 3000 },
  );
});

test("an anchored edit never makes the parser throw anything but a ToolError", () => {
  const line = fc.oneof(
    fc.constantFrom("§a", "§", "»1aa", "«BOF", "»EOF", "≔1aa..2bb", "≔", "x", "\\§", "≔BOF..EOF", ""),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) =>
      onlyToolErrors(() => void parseHashline(lines.join("\n"))),
    ),
    { numRuns: 3000 },
  );
});

test("applying the patch of a change produces the change", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), lines, (raw, start, length, added) => {
      const before = raw.map((word, index) => `${word}${index}`);
      const from = start % before.length;
      const to = Math.min(before.length, from + (length % 3) + 1);
      const removed = before.slice(from, to);
      const chunk = { after: [], old: removed, new: added, atEnd: false };
      expect(applyChunks(before, [chunk])).toEqual([...before.slice(0, from), ...added, ...before.slice(to)]);
    }),
  );
});

test("rebasing an edit over a change elsewhere produces both", () => {
  const lines = fc.uniqueArray(fc.nat(1000).map(String), { minLength: 4, maxLength: 20 });
  fc.assert(
    fc.property(
      lines,
      fc.nat(),
      fc.nat(),
      fc.array(fc.constant("theirs"), { maxLength: 3 }),
      (old, one, two, theirs) => {
        const mine = one % old.length;
        const other = two % old.length;
        const now = [...old.slice(0, other), ...theirs, ...old.slice(other + 1)];
        const stretches = (
          [
            { count: other, side: "both" },
            { count: 1, side: "old" },
            { count: theirs.length, side: "new" },
            { count: old.length - other - 1, side: "both" },
          ] satisfies Stretch[]
        ).filter(({ count }) => count > 0);
        const carried = carriedOver([{ from: mine, to: mine + 1, payload: ["mine"] }], stretches);
        if (mine === other) expect(carried).toBeUndefined();
        else expect(applySplices(now, carried!)).toEqual(now.map((line) => (line === old[mine] ? "mine" : line)));
      },
    ),
  );
});

test("a text that occurs once is found exactly there", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, wanted, after) => {
      const places = findPlaces(before + wanted + after, wanted, "x", 0.95);
      expect(places.length).toBeGreaterThan(0);
      expect(places[0]!.how).toBe("exact");
    }),
  );
});
