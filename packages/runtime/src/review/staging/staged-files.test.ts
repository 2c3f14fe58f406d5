import { expect, it } from "vitest";
import { parseStaged } from "./staged-files.ts";

it("lists staged files, those with further changes, and renamed ones by their new path", () => {
  const entries = [
    "1 M. N... 100644 100644 100644 aaa bbb src/a file.ts",
    "1 .M N... 100644 100644 100644 aaa aaa other.ts",
    "1 AM N... 000000 100644 100644 000 bbb new.ts",
    "2 R. N... 100644 100644 100644 aaa aaa R100 to.ts",
    "1 from.ts",
    "? untracked.ts",
    "",
  ];
  expect(parseStaged(entries.join("\0"))).toEqual([
    { path: "src/a file.ts", partly: false },
    { path: "new.ts", partly: true },
    { path: "to.ts", partly: false },
  ]);
});
