import type { Comment, FileChange } from "@gantry/protocol";
import { expect, it } from "vitest";
import { parseDiff } from "../diff/parse-diff.ts";
import { type RowSource, reviewRows } from "./rows.ts";

const patch = "@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+more\n three\n";
const file: FileChange = { path: "a.ts", kind: "update", additions: 2, deletions: 1 };
const comment = (more: Partial<Comment>): Comment => ({
  ...{ comment: `cmt_${more.line}${more.side ?? ""}`, path: "a.ts", line: 1, side: "new", text: "x", quote: "x" },
  ...{ state: "open", createdAt: "", updatedAt: "", ...more },
});
const source = (more: Partial<RowSource> = {}): RowSource => ({
  files: [file],
  patches: new Map([["a.ts", { hunks: parseDiff(patch) }]]),
  isOpen: () => true,
  layout: "unified",
  comments: [],
  form: undefined,
  ...more,
});
const kinds = (rows: ReturnType<typeof reviewRows>) => rows.map(({ kind }) => kind);

it("has a row for each line, and one for two lines side by side", () => {
  expect(kinds(reviewRows(source()))).toEqual(["file", "hunk", "line", "line", "line", "line", "line"]);
  expect(kinds(reviewRows(source({ layout: "split" })))).toEqual(["file", "hunk", "line", "line", "line", "line"]);
  expect(kinds(reviewRows(source({ isOpen: () => false })))).toEqual(["file"]);
  expect(kinds(reviewRows(source({ patches: new Map() })))).toEqual(["file", "load"]);
});

it("puts a comment after the last line that it is about, on its side, and loses none", () => {
  const comments = [
    comment({ line: 2, side: "old" }),
    comment({ line: 2, endLine: 3 }),
    comment({ line: 90 }),
    comment({ line: 1, path: "b.ts" }),
  ];
  for (const layout of ["unified", "split"] as const) {
    const rows = reviewRows(source({ comments, layout }));
    const keys = rows.filter(({ kind }) => kind === "comment").map(({ key }) => key);
    expect(keys).toEqual(["cmt_90", "cmt_2old", "cmt_2", "cmt_1"]);
    expect(rows.at(-2)).toMatchObject({ kind: "note" });
  }
  const rows = reviewRows(source({ comments }));
  expect(rows[rows.findIndex(({ key }) => key === "cmt_2") - 1]).toMatchObject({ right: { new: 3 } });
});

it("shows the form after its line, and one row per unchanged line", () => {
  const rows = reviewRows(source({ form: { path: "a.ts", side: "new", line: 1 } }));
  expect(kinds(rows).slice(0, 4)).toEqual(["file", "hunk", "line", "form"]);
});
