import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NOTHING_PENDING, resolveTool } from "../resolve/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { astEditTool } from "./edit.ts";
import { astGrepTool } from "./grep.ts";

let place: TestPlace;
const search = astGrepTool();
const edit = astEditTool();
beforeEach(() => {
  place = new TestPlace();
  mkdirSync(place.path("src"));
  writeFileSync(place.path("src/a.ts"), 'call(1,\n  2);\nconst ü = "😀"; call(x);\nother(call);\n');
  writeFileSync(place.path("src/b.lua"), "call(1)\n");
});
afterEach(() => place.dispose());

const file = (name: string) => readFileSync(place.path(name), "utf8");

describe("ast_grep", () => {
  test("finds by structure, across line ends", async () => {
    const text = await place.text(search, { pat: "call($$$ARGS)", paths: ["src"] });
    expect(text).toMatch(/^src\/a\.ts\n1[a-z]{2}\|call\(1,\n2[a-z]{2}\| {2}2\);\n3[a-z]{2}\|const/);
    expect(text).not.toContain("other");
    expect(await place.text(search, { pat: "nothing($A)", paths: ["src/**/*.ts"] })).toContain("TypeScript, TSX");
  });

  test("lists the supported languages when there is nothing to parse", async () => {
    await expect(place.text(search, { pat: "call($A)", paths: ["src/b.lua"] })).rejects.toThrow("Known: TypeScript");
  });
});

describe("ast_edit and resolve", () => {
  const ops = [{ pat: "call($$$ARGS)", out: "invoke(0, $$$ARGS)" }];
  const resolve = () => resolveTool(place);

  test("previews, then applies", async () => {
    const before = file("src/a.ts");
    const preview = await place.text(edit, { ops, paths: ["src"] });
    expect(preview).toContain("+invoke(0, 1,");
    expect(file("src/a.ts")).toBe(before);
    expect(place.actions(resolve(), { action: "apply", reason: "yes" })).toEqual([
      { kind: "file.write", path: place.path("src/a.ts") },
    ]);
    await place.run(resolve(), { action: "apply", reason: "yes" });
    expect(file("src/a.ts")).toBe('invoke(0, 1,\n  2);\nconst ü = "😀"; invoke(0, x);\nother(call);\n');
  });

  test("discards with a message, once", async () => {
    await place.run(edit, { ops, paths: ["src"] });
    expect(await place.text(resolve(), { action: "discard", reason: "no need" })).toBe(
      "Discarded: ast_edit: 2 changes in 1 file. Reason: no need",
    );
    await expect(place.run(resolve(), { action: "apply", reason: "x" })).rejects.toThrow(NOTHING_PENDING);
  });

  test("does not change a file that changed after the preview", async () => {
    await place.run(edit, { ops, paths: ["src"] });
    writeFileSync(place.path("src/a.ts"), "call(5);\n");
    await expect(place.run(resolve(), { action: "apply", reason: "yes" })).rejects.toThrow("changed meanwhile");
    expect(file("src/a.ts")).toBe("call(5);\n");
  });

  test("applies only the preview that was permitted", async () => {
    await place.run(edit, { ops, paths: ["src"] });
    await place.run(edit, { ops: [{ pat: "other($A)", out: "" }], paths: ["src"] });
    const prepared = place.prepare(resolve(), { action: "apply", reason: "yes" });
    place.take();
    await expect(prepared.run(place.context())).rejects.toThrow("not the one that was allowed");
  });

  test("handles several operations, one node, and nested matches", async () => {
    writeFileSync(place.path("src/a.ts"), "f(f(1));\nlet a = 2;\n");
    await place.run(edit, {
      ops: [
        { pat: "f($A)", out: "g($A)" },
        { pat: "let $X = $Y", out: "const $X = $Y" },
      ],
      paths: ["src"],
    });
    await place.run(resolve(), { action: "apply", reason: "yes" });
    expect(file("src/a.ts")).toMatch(/^g\(f\(1\)\);\nconst a = 2;?\n$/);
  });

  test("creates no preview when nothing would change", async () => {
    expect(await place.text(edit, { ops: [{ pat: "nope($A)", out: "x" }], paths: ["src"] })).toContain(
      "Nothing to change",
    );
    expect(place.pending).toEqual([]);
  });
});
