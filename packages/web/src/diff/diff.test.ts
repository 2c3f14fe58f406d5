import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeSpan } from "../code/highlight.ts";
import { foldUnchanged, toUnified } from "./fold-unchanged.ts";
import { markChanges, pairLines } from "./line-pairs.ts";
import { parseDiff } from "./parse-diff.ts";
import { styleSpans } from "./style-spans.ts";

const line = fc.constantFrom("a", "b", "const x = 1;", "", "+ plus", "- minus", "@@ not a header", "--- x");
const file = fc.array(line, { maxLength: 40 }).map((lines) => lines.map((one) => `${one}\n`).join(""));

describe("any diff", () => {
  it("parses back into the two files it was made from", () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const hunks = parseDiff(createTwoFilesPatch("a", "b", before, after, "", "", { context: 100 }));
        const lines = hunks.flatMap((hunk) => hunk.lines);
        if (before === after) expect(lines).toEqual([]);
        if (before === after) return;
        const side = (drop: "added" | "removed") =>
          lines
            .filter((own) => own.kind !== drop)
            .map((own) => `${own.text}\n`)
            .join("");
        expect([side("added"), side("removed")]).toEqual([before, after]);
        lines.forEach((own) => {
          if (own.old !== undefined) expect(before.split("\n")[own.old - 1]).toBe(own.text);
          if (own.new !== undefined) expect(after.split("\n")[own.new - 1]).toBe(own.text);
        });
      }),
    );
  });

  it("shows each line once in every layout", () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const [hunk] = parseDiff(createTwoFilesPatch("a", "b", before, after, "", "", { context: 100 }));
        if (!hunk) return;
        const parts = foldUnchanged(pairLines(hunk.lines));
        expect(parts.flatMap((part) => toUnified(part.pairs))).toEqual(hunk.lines);
        expect(
          parts.filter((part) => part.folded).every(({ pairs }) => pairs.every(({ left }) => left?.kind === "same")),
        ).toBe(true);
      }),
    );
  });
});

it("marks the changed parts of similar lines only", () => {
  const marks = (diff: string) => [...markChanges(pairLines(parseDiff(diff)[0]?.lines ?? [])).values()];
  expect(
    marks('@@ -1 +1 @@\n-const currency = "EUR";\n+const currency = "CHF";\n').map((parts) =>
      parts.filter((part) => part.changed).map((part) => part.text),
    ),
  ).toEqual([["EUR"], ["CHF"]]);
  expect(marks("@@ -1 +1 @@\n-alpha beta\n+something else entirely\n")).toEqual([]);
});

it("combines the colors and marks of a line without losing text", () => {
  const spans: CodeSpan[] = [
    ["const", "#1", "#2"],
    [" x = 1", "#3", "#4"],
  ];
  const marked = [
    { text: "const x", changed: false },
    { text: " = 1", changed: true },
  ];
  expect(styleSpans("const x = 1", spans, marked)).toEqual([
    { text: "const", color: "light-dark(#1, #2)", changed: false },
    { text: " x", color: "light-dark(#3, #4)", changed: false },
    { text: " = 1", color: undefined, changed: true },
  ]);
  expect(styleSpans("other", spans, undefined)).toEqual([{ text: "other", changed: false }]);
});

it("parses a diff without headers and an empty one", () => {
  expect(parseDiff("-a\n+b\n")).toEqual([
    {
      title: "",
      lines: [
        { kind: "removed", text: "a", old: 1 },
        { kind: "added", text: "b", new: 1 },
      ],
    },
  ]);
  expect(parseDiff("")).toEqual([]);
});
