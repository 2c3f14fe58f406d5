import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip } from "../../ui/text/clip.ts";
import { splitHidden } from "../../ui/text/hidden-characters.ts";
import { parseAnsi, plainOutput } from "./ansi.ts";
import { cutNotice, hiddenLines } from "./cut-notice.ts";
import { splitUrls } from "./split-urls.ts";

const esc = "\u001b";

describe("parseAnsi", () => {
  it.each([
    [
      `${esc}[31mred${esc}[0m plain`,
      [
        ["red", { color: 1 }],
        [" plain", {}],
      ],
    ],
    [`${esc}[1;92mbold${esc}[22m`, [["bold", { bold: true, color: 10 }]]],
    [
      `${esc}[38;5;196ma${esc}[48;2;1;2;3mb`,
      [
        ["a", { color: "#ff0000" }],
        ["b", { color: "#ff0000", background: "#010203" }],
      ],
    ],
    [
      `${esc}[2K${esc}[1Gover${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`,
      [
        ["over", {}],
        ["link", {}],
      ],
    ],
    [`${esc}[0;31mx`, [["x", { color: 1 }]]],
  ])("%j", (text, expected) => {
    expect(parseAnsi(text).map(({ text: own, style }) => [own, style])).toMatchObject(expected);
  });

  it("keeps the last state of an overwritten line", () => {
    expect(plainOutput("10 %\r50 %\r100 %\r\ndone\r\n")).toBe("100 %\ndone\n");
  });

  it("loses no character of a text without escape sequences", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "é", "🚂", " ", "\n", "[", "m", "]", "\u0000") }), (text) => {
        expect(
          parseAnsi(text)
            .map((stretch) => stretch.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

describe("clip", () => {
  it("keeps the last or the first lines", () => {
    const text = "1\n2\n3\n4\n5\n";
    expect(clip(text, { lines: 2, lineLength: 10 })).toEqual({ text: "4\n5", lines: 3, characters: 0 });
    expect(clip(text, { lines: 2, lineLength: 10, from: "head" })).toEqual({ text: "1\n2", lines: 3, characters: 0 });
    expect(clip(text, { lines: 9, lineLength: 10 })).toEqual({ text: "1\n2\n3\n4\n5", lines: 0, characters: 0 });
  });

  it("cuts a line of ten megabytes quickly", () => {
    const { text, characters } = clip("x".repeat(10_000_000), { lines: 10, lineLength: 2000 });
    expect([text.length, characters]).toEqual([2001, 9_998_000]);
  });

  it("never exceeds its limits and counts what it removes", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "🚂", " "), maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        fc.boolean(),
        (lines, most, tail) => {
          const cut = clip(lines.join("\n"), { lines: most, lineLength: 10, from: tail ? "tail" : "head" });
          const shown = cut.text.split("\n");
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown.every((one) => one.length <= 11 && one.isWellFormed())).toBe(true);
        },
      ),
    );
  });
});

describe("the notice of a cut output", () => {
  const tail = Array.from({ length: 22 }, (_, at) => `line ${at}`).join("\n");
  const clipped = clip(tail, { lines: 12, lineLength: 2000 });
  const stored = { blob: "a".repeat(64), size: 121_000, head: "", tail };

  it("counts the lines of the whole output, not those of its loaded end", () => {
    const lines = hiddenLines({ ...stored, lines: 1212 }, clipped, false);
    expect(lines).toBe(1200);
    expect(cutNotice({ lines, characters: 0, size: stored.size, whole: false })).toBe(
      "1,200 earlier lines hidden (118 kB in total)",
    );
  });

  it("claims no number that is unknown", () => {
    const lines = hiddenLines(stored, clipped, false);
    expect(lines).toBeUndefined();
    expect(cutNotice({ lines, characters: 0, size: stored.size, whole: false })).toBe(
      "Earlier lines hidden (118 kB in total)",
    );
  });

  it("counts a short output exactly", () => {
    expect(hiddenLines(tail, clipped, false)).toBe(10);
    expect(cutNotice({ lines: 1, characters: 3, size: 10, whole: true })).toBe(
      "1 earlier line hidden, long lines shortened by 3 characters (10 B in total)",
    );
  });
});

it("makes hidden characters visible and keeps emoji intact", () => {
  expect(splitHidden("rm a\u202etxt.exe")).toEqual([{ text: "rm a" }, { control: "U+202E" }, { text: "txt.exe" }]);
  expect(splitHidden("a\u0000b\n\tc")).toEqual([{ text: "a" }, { control: "U+0000" }, { text: "b\n\tc" }]);
  expect(splitHidden("👩‍👩‍👧‍👦 שלום")).toEqual([{ text: "👩‍👩‍👧‍👦 שלום" }]);
  expect(splitHidden("a\u200db")).toEqual([{ text: "a" }, { control: "U+200D" }, { text: "b" }]);
});

it("finds web addresses in output without trailing punctuation", () => {
  expect(splitUrls("Local: http://localhost:5173/, or (https://a.example/b).")).toEqual([
    { text: "Local: " },
    { url: "http://localhost:5173/" },
    { text: ", or (" },
    { url: "https://a.example/b" },
    { text: ")." },
  ]);
});
