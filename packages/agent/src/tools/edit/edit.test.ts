import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ToolError } from "../../contract/tool.ts";
import { readTool } from "../read/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { editModeFor, editTool } from "./tool.ts";

let place: TestPlace;
const read = readTool();
const hashline = editTool();
const replace = editTool({}, "replace");
const patch = editTool({}, "apply_patch");
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

const file = (name: string) => readFileSync(place.path(name), "utf8");
const put = (name: string, text: string | Buffer) => writeFileSync(place.path(name), text);

/** The anchors as the model sees them. */
async function anchors(name: string): Promise<string[]> {
  const text = await place.text(read, { path: name });
  return [...text.matchAll(/^(\d+[a-z]{2})\|/gm)].map((match) => match[1]!);
}

describe("anchored lines", () => {
  test("replaces, deletes and inserts, all relative to the text that was read", async () => {
    put("a", "one\ntwo\nthree\nfour\nfive\n");
    const [one, two, three, four, five] = await anchors("a");
    const input = `§a\n«${one}\nzero\n≔${two}..${three}\n2\n  3\n≔${four}\n»${five}\nsix\n»BOF\ntop\n»EOF\nend\n`;
    const output = await place.run(hashline, { input });
    expect(file("a")).toBe("zero\ntop\none\n2\n  3\nfive\nsix\nend\n".replace("zero\ntop", "zero\ntop"));
    expect(output.details).toMatchObject({
      diff: expect.stringContaining("+  3"),
      files: [{ path: "a", change: "edited" }],
    });
  });

  test("the answer contains the anchors for the next edit", async () => {
    put("a", "one\ntwo\nthree\n");
    const [, two] = await anchors("a");
    const answer = await place.text(hashline, { input: `§a\n≔${two}\nnew\nnewer` });
    const next = /(\d+[a-z]{2})\|newer/.exec(answer)![1];
    await place.run(hashline, { input: `§a\n»${next}\nnewest` });
    expect(file("a")).toBe("one\nnew\nnewer\nnewest\nthree\n");
  });

  test("anchors from before the model's own edit are rebased", async () => {
    put("a", "}\na\n}\nb\n}\nc\n");
    const seen = await anchors("a");
    await place.run(hashline, { input: `§a\n»BOF\nx\ny` });
    const answer = await place.text(hashline, { input: `§a\n≔${seen[3]}\nB` });
    expect(file("a")).toBe("x\ny\n}\na\n}\nB\n}\nc\n");
    expect(answer).toContain("rebased");
  });

  test("merges with changes elsewhere in the file, even where another line has the same hash", async () => {
    put("a", "a\n}\nb\n}\nc\n}\n");
    const seen = await anchors("a");
    put("a", "new\n}\na\n}\nb\n}\nc\n}\n");
    await place.run(hashline, { input: `§a\n≔${seen[3]}\nhere` });
    expect(file("a")).toBe("new\n}\na\n}\nb\nhere\nc\n}\n");
  });

  test("shows a conflicting change at the same place and changes nothing", async () => {
    put("a", "a\nb\nc\n");
    const seen = await anchors("a");
    put("a", "a\nTHEIRS\nc\n");
    await expect(place.run(hashline, { input: `§a\n≔${seen[1]}\nmine` })).rejects.toThrow(/> 2[a-z]{2}\|THEIRS/);
    expect(file("a")).toBe("a\nTHEIRS\nc\n");
  });

  test("shows the current lines for an anchor that never existed", async () => {
    put("a", "a\nb\nc\n");
    await expect(place.run(hashline, { input: "§a\n≔2zz\nx" })).rejects.toThrow(/2zz.*\n[\s\S]*> 2[a-z]{2}\|b/);
    await expect(place.run(hashline, { input: "§a\n≔9aa\nx" })).rejects.toThrow("9aa");
  });

  test("changes several files together or not at all", async () => {
    put("a", "a\n");
    put("b", "b\n");
    const [a] = await anchors("a");
    await expect(place.run(hashline, { input: `§a\n≔${a}\nA\n§b\n≔1zz\nB` })).rejects.toThrow(ToolError);
    expect(file("a")).toBe("a\n");
    const [b] = await anchors("b");
    await place.run(hashline, { input: `§a\n≔${a}\nA\n§b\n≔${b}\nB\n§new/c\n»BOF\nC\n§new/d\n≔BOF..EOF\nD` });
    expect([file("a"), file("b"), file("new/c"), file("new/d")]).toEqual(["A\n", "B\n", "C\n", "D\n"]);
  });

  test("preserves CRLF, byte order mark, a missing last newline and the mode", async () => {
    put("a", "\uFEFFone\r\ntwo\r\nthree");
    chmodSync(place.path("a"), 0o751);
    const [, two] = await anchors("a");
    await place.run(hashline, { input: `§a\n≔${two}\n2\nzwei` });
    expect(file("a")).toBe("\uFEFFone\r\n2\r\nzwei\r\nthree");
    expect(statSync(place.path("a")).mode & 0o777).toBe(0o751);
  });

  test("strips copied anchors from the lines; treats quotation marks as text", async () => {
    put("a", "one\ntwo\n");
    const [one, two] = await anchors("a");
    await place.run(hashline, { input: `§a\n≔${one}\n${one}|uno\n≔${two}|two\n« Bonjour »\n\\§ 5 BGB` });
    expect(file("a")).toBe("uno\n« Bonjour »\n§ 5 BGB\n");
  });

  test("refuses invalid edits with a reason", async () => {
    put("a", "one\ntwo\nthree\n");
    const [one, two, three] = await anchors("a");
    for (const input of [
      "",
      "x",
      "§",
      "§a",
      "§a\n≔",
      "§a\n»",
      "§a\n≔xx\ny",
      `§a\n»${one}`,
      `§a\n≔${three}..${one}\nx`,
    ]) {
      await expect(place.text(hashline, { input }), input).rejects.toThrow(ToolError);
    }
    await expect(place.run(hashline, { input: `§a\n≔${one}..${two}\nx\n≔${two}..${three}\ny` })).rejects.toThrow(
      "Two operations",
    );
    await expect(place.run(hashline, { input: `§a\n≔${one}\none` })).rejects.toThrow("changes nothing");
    expect(file("a")).toBe("one\ntwo\nthree\n");
  });
});

describe("replacing text", () => {
  const edit = (edits: { old_text: string; new_text: string; all?: boolean }[], path = "a") =>
    place.text(replace, { path, edits });

  test("replaces exact matches, several at once, or all", async () => {
    put("a", "x = 1\ny = 2\nx = 1\n");
    await expect(edit([{ old_text: "x = 1", new_text: "x = 3" }])).rejects.toThrow("2 times (lines 1, 3)");
    await edit([
      { old_text: "x = 1", new_text: "x = 3", all: true },
      { old_text: "y = 2", new_text: "y = 4" },
    ]);
    expect(file("a")).toBe("x = 3\ny = 4\nx = 3\n");
  });

  test("changes nothing if one text is missing", async () => {
    put("a", "one\ntwo\n");
    await expect(
      edit([
        { old_text: "one", new_text: "1" },
        { old_text: "three", new_text: "3" },
      ]),
    ).rejects.toThrow("Edit 2 of 2");
    expect(file("a")).toBe("one\ntwo\n");
  });

  test("tolerates other quotes, spaces and indentation, and indents the new text like the file", async () => {
    put("a", "class A {\n\trun() {\n\t\treturn “hi”;   \n\t}\n}\n");
    const answer = await edit([{ old_text: 'run() {\n\treturn "hi";\n}', new_text: "run() {\n\treturn 1;\n}" }]);
    expect(file("a")).toBe("class A {\n\trun() {\n\t\treturn 1;\n\t}\n}\n");
    expect(answer).toContain("Line 2");
  });

  test("tolerates a typing error in a long passage, but not another short word", async () => {
    put("a", "function compute(alpha, beta) {\n  const total = alpha + beta;\n  return total * 2;\n}\n");
    await edit([
      {
        old_text: "function compute(alpha, beta) {\n  const totl = alpha + beta;\n  return total * 2;\n}",
        new_text: "gone",
      },
    ]);
    expect(file("a")).toBe("gone\n");
    put("a", "foo\nbar\n");
    await expect(edit([{ old_text: "fox", new_text: "x" }])).rejects.toThrow("not in a");
    const strict = editTool({ fuzzyMatch: false }, "replace");
    put("a", "a  b\n");
    await expect(place.run(strict, { path: "a", edits: [{ old_text: "a b", new_text: "c" }] })).rejects.toThrow(
      "not in",
    );
  });

  test("CRLF on either side makes no difference", async () => {
    put("a", "one\r\ntwo\r\n");
    await edit([{ old_text: "one\r\ntwo", new_text: "1\n2" }]);
    expect(file("a")).toBe("1\r\n2\r\n");
  });

  test("writes through a link; preserves links and hard links", async () => {
    put("real", "one\n");
    symlinkSync("real", place.path("link"));
    linkSync(place.path("real"), place.path("twin"));
    await edit([{ old_text: "one", new_text: "two" }], "link");
    expect([file("real"), file("twin")]).toEqual(["two\n", "two\n"]);
    expect(statSync(place.path("real")).nlink).toBe(2);
  });

  test("refuses generated files unless forced", async () => {
    put("a.gen.ts", "x\n");
    put("b.ts", "// Code generated by protoc. DO NOT EDIT.\nx\n");
    for (const path of ["a.gen.ts", "b.ts"]) {
      await expect(edit([{ old_text: "x\n", new_text: "y\n" }], path)).rejects.toThrow("generated");
      await place.run(replace, { path, edits: [{ old_text: "x\n", new_text: "y\n" }], force: true });
    }
    expect(file("b.ts")).toContain("\ny\n");
  });

  test("refuses binary files, folders and missing files", async () => {
    put("bin", Buffer.from([0, 1, 2]));
    mkdirSync(place.path("dir"));
    for (const path of ["bin", "dir", "none"]) {
      await expect(edit([{ old_text: "a", new_text: "b" }], path)).rejects.toThrow(ToolError);
    }
  });
});

describe("patches", () => {
  const apply = (...lines: string[]) =>
    place.text(patch, { input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

  test("adds, updates, moves and deletes", async () => {
    put("a", "one\ntwo\nthree\n");
    put("old", "keep\ndrop\n");
    chmodSync(place.path("old"), 0o755);
    put("gone", "x\n");
    await apply(
      "*** Add File: new/file",
      "+hello",
      "+",
      "*** Update File: a",
      "@@",
      " one",
      "-two",
      "+2",
      "*** Update File: old",
      "*** Move to: moved",
      "@@",
      " keep",
      "-drop",
      "*** Delete File: gone",
    );
    expect([file("new/file"), file("a"), file("moved")]).toEqual(["hello\n\n", "one\n2\nthree\n", "keep\n"]);
    expect([existsSync(place.path("old")), existsSync(place.path("gone"))]).toEqual([false, false]);
    expect(statSync(place.path("moved")).mode & 0o777).toBe(0o755);
  });

  test("reports its actions in advance", () => {
    const input = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch";
    expect(place.actions(patch, { input })).toEqual([
      { kind: "file.delete", path: place.path("a") },
      { kind: "file.write", path: place.path("b") },
      { kind: "file.delete", path: place.path("c") },
    ]);
  });

  test("finds the place by a header, tolerates spaces, honours the end of the file", async () => {
    put("a", "def f():\n    x = 1\n\ndef g():\n    x = 1\nx = 1\n");
    await apply(
      "*** Update File: a",
      "@@ def g():",
      "-    x = 1   ",
      "+    x = 2",
      "@@",
      "-x = 1",
      "+x = 3",
      "*** End of File",
    );
    expect(file("a")).toBe("def f():\n    x = 1\n\ndef g():\n    x = 2\nx = 3\n");
    await apply("*** Update File: a", "@@", "+last");
    expect(file("a").endsWith("x = 3\nlast\n")).toBe(true);
  });

  test("changes all files or none", async () => {
    put("a", "one\n");
    put("b", "two\n");
    const lines = ["*** Update File: a", "@@", "-one", "+1", "*** Update File: b", "@@", "-nothing", "+2"];
    await expect(apply(...lines)).rejects.toThrow(/b: .*not in the file/);
    await expect(apply("*** Update File: a", "@@", "-one", "+1", "*** Add File: b", "+x")).rejects.toThrow(
      "already exists",
    );
    expect([file("a"), file("b")]).toEqual(["one\n", "two\n"]);
    expect(readdirSync(place.cwd).sort()).toEqual(["a", "b"]);
  });
});

test("a model may have a separate edit mode", () => {
  const settings = { modes: { "openai/gpt-*": "apply_patch", "small*": "replace" } } as const;
  expect(editModeFor(settings, { provider: "openai", id: "gpt-9" })).toBe("apply_patch");
  expect(editModeFor(settings, { provider: "x", id: "small-1" })).toBe("replace");
  expect(editModeFor(settings, { provider: "x", id: "y" })).toBe("hashline");
});

test("the preview shows the difference and changes nothing", async () => {
  put("a", "one\n");
  const prepared = place.prepare(replace, { path: "a", edits: [{ old_text: "one", new_text: "two" }] });
  expect(await prepared.preview?.()).toContain("-one\n+two");
  expect(file("a")).toBe("one\n");
});

test("treats a path outside the folder as outside", () => {
  symlinkSync("/etc", place.path("out"));
  const edits = [{ old_text: "a", new_text: "b" }];
  expect(place.actions(replace, { path: "out/x", edits })).toEqual([{ kind: "file.write", path: "/etc/x" }]);
  expect(place.actions(replace, { path: "../x", edits })[0]).not.toMatchObject({ path: place.path("x") });
});
