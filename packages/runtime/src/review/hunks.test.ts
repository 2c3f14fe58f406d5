import type { HunkRange } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeOf, followRange, splitHunks } from "./hunks.ts";

/** An edit of a text: runs of lines that stay, and runs that are replaced. Every line is unique. */
const edits = fc.array(fc.record({ same: fc.integer({ min: 1, max: 4 }), removed: fc.nat(3), added: fc.nat(3) }), {
  maxLength: 6,
});

type Edit = { same: number; removed: number; added: number };

function build(list: readonly Edit[]) {
  const [old, now, hunks, text] = [[] as string[], [] as string[], [] as HunkRange[], [] as string[]];
  let count = 0;
  const take = (many: number) => Array.from({ length: many }, () => `line ${count++}`);
  for (const { same, removed, added } of list) {
    const stays = take(same);
    old.push(...stays);
    now.push(...stays);
    if (removed + added === 0) continue;
    const [gone, fresh] = [take(removed), take(added)];
    const oldStart = removed === 0 ? old.length : old.length + 1;
    const newStart = added === 0 ? now.length : now.length + 1;
    hunks.push({ oldStart, oldLines: removed, newStart, newLines: added });
    const header = `@@ -${oldStart},${removed} +${newStart},${added} @@\n`;
    text.push(header, ...gone.map((line) => `-${line}\n`), ...fresh.map((line) => `+${line}\n`));
    old.push(...gone);
    now.push(...fresh);
  }
  return { old, now, hunks, patch: `--- a/x\n+++ b/x\n${text.join("")}` };
}

describe("a range of lines", () => {
  it("moves with its text, and is changed exactly if the text is no longer there in one piece", () => {
    fc.assert(
      fc.property(edits, fc.nat(20), fc.nat(4), (list, start, more) => {
        const { old, now, hunks } = build(list);
        fc.pre(old.length > 0);
        const first = (start % old.length) + 1;
        const last = Math.min(old.length, first + more);
        const { changed, line } = followRange(hunks, first, last);
        const wanted = old.slice(first - 1, last).join("\n");
        const isThere = now.some((_, index) => now.slice(index, index + last - first + 1).join("\n") === wanted);
        expect(changed).toBe(!isThere);
        if (!changed) expect(now.slice(line - 1, line + last - first).join("\n")).toBe(wanted);
      }),
    );
  });

  it("knows the change that replaced it", () => {
    const { hunks } = splitHunks(build([{ same: 2, removed: 2, added: 1 }]).patch);
    expect(changeOf(hunks, 1, 2)).toBe("");
    expect(changeOf(hunks, 3, 3)).toBe("-line 2\n-line 3\n+line 4\n");
  });
});

describe("a patch", () => {
  it("splits into the hunks that it was made of, and nothing is lost", () => {
    fc.assert(
      fc.property(edits, (list) => {
        const { hunks, patch } = build(list);
        const split = splitHunks(patch);
        expect(split.hunks.map(({ text, ...range }) => range)).toEqual(hunks);
        expect(split.head + split.hunks.map(({ text }) => text).join("")).toBe(patch);
      }),
    );
  });

  it("does not mistake content for a header", () => {
    const patch =
      "--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n-@@ -1 +1 @@\n ok\n\\ No newline at end of file\n@@ -9,0 +9,1 @@\n+new\n";
    expect(splitHunks(patch).hunks.map(({ oldStart }) => oldStart)).toEqual([1, 9]);
  });
});
