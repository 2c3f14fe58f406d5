import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitHunks } from "../hunks.ts";
import { spliceHunks, touchesHunk } from "./splice-hunks.ts";

const texts = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "@@ -1 +1 @@"), { maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.map((line) => `${line}\n`).join("") + (ends ? "" : "end"));

function diff(before: string, after: string) {
  const folder = mkdtempSync(join(tmpdir(), "gantry-splice-"));
  try {
    writeFileSync(join(folder, "a"), before);
    writeFileSync(join(folder, "b"), after);
    const args = ["diff", "--no-index", "--text", "-U0", "a", "b"];
    return splitHunks(execFileSync("git", args, { cwd: folder, encoding: "latin1" })).hunks;
  } catch (error) {
    // Git exits with 1 if the files differ.
    return splitHunks((error as { stdout: string }).stdout).hunks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("gives the new text with all hunks and the old text with none", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const hunks = diff(before, after);
      expect(spliceHunks(before, after, hunks)).toBe(after);
      expect(spliceHunks(before, after, [])).toBe(before);
      expect(hunks.every((hunk) => touchesHunk(hunk, hunk))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it("applies the chosen hunks and leaves the others out", () => {
  const before = "1\n2\n3\n4\n5\n6\n";
  const after = "one\n2\n3\nnew\n4\n6";
  const [first, second, third] = diff(before, after);
  expect(first && spliceHunks(before, after, [first])).toBe("one\n2\n3\n4\n5\n6\n");
  expect(second && spliceHunks(before, after, [second])).toBe("1\n2\n3\nnew\n4\n5\n6\n");
  expect(third && spliceHunks(before, after, [third])).toBe("1\n2\n3\n4\n6");
});

it("finds changes in the lines that a hunk with context shows", () => {
  const shown = { oldStart: 4, oldLines: 7, newStart: 4, newLines: 6 };
  const at = (newStart: number, newLines: number) =>
    touchesHunk({ oldStart: 1, oldLines: 1, newStart, newLines }, shown);
  expect([at(3, 1), at(4, 1), at(9, 2), at(10, 1)]).toEqual([false, true, true, false]);
  expect([at(2, 0), at(3, 0), at(9, 0), at(10, 0)]).toEqual([false, true, true, false]);
});
