import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { resolveTool } from "../resolve/tool.ts";
import { TestPlace } from "../testing-place.ts";
import { astEditTool } from "./edit.ts";
import { astGrepTool } from "./grep.ts";
import { LANGUAGES } from "./languages.ts";
import { findParser } from "./parsers.ts";

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.dispose());

/** A file for each ending in which `call(1, 2)` and `call(x)` are calls, and text and comments name `call(9)`. */
const SOURCES: Record<string, string> = {
  ts: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  mts: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  cts: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  tsx: "call(1, 2);\nconst a = <b>{call(x)} call(9)</b>;\n",
  js: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  mjs: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  cjs: 'call(1, 2);\nconst a = call(x); // call(9)\nconst b = "call(9)";\n',
  jsx: "call(1, 2);\nconst a = <b>{call(x)} call(9)</b>;\n",
  py: 'call(1, 2)\na = call(x)  # call(9)\nb = "call(9)"\n',
  pyi: 'call(1, 2)\na = call(x)  # call(9)\nb = "call(9)"\n',
  rs: 'fn main() {\n    call(1, 2);\n    let a = call(x); // call(9)\n    let b = "call(9)";\n}\n',
  go: 'package a\n\nfunc main() {\n\tcall(1, 2)\n\ta := call(x) // call(9)\n\tb := "call(9)"\n}\n',
  java: 'class A {\n  void m() {\n    call(1, 2);\n    int a = call(x); // call(9)\n    String b = "call(9)";\n  }\n}\n',
  c: 'int main() {\n  call(1, 2);\n  int a = call(x); // call(9)\n  char *b = "call(9)";\n}\n',
  h: "static inline int f(int x) {\n  call(1, 2);\n  return call(x); /* call(9) */\n}\n",
  cs: 'class A {\n  void M() {\n    call(1, 2);\n    var a = call(x); // call(9)\n    var b = "call(9)";\n  }\n}\n',
  rb: 'call(1, 2)\na = call(x) # call(9)\nb = "call(9)"\n',
  php: '<p>call(9)</p>\n<?php\ncall(1, 2);\n$a = call($x); // call(9)\n$b = "call(9)";\n',
  kt: 'fun main() {\n  call(1, 2)\n  val a = call(x) // call(9)\n  val b = "call(9)"\n}\n',
  kts: 'call(1, 2)\nval a = call(x) // call(9)\nval b = "call(9)"\n',
  swift: 'func main() {\n  call(1, 2)\n  let a = call(x) // call(9)\n  let b = "call(9)"\n}\n',
};
for (const ending of ["cc", "cpp", "cxx", "hpp", "hh", "hxx", "cu", "ino"]) SOURCES[ending] = SOURCES.c!;
for (const ending of ["rbw", "gemspec", "rake"]) SOURCES[ending] = SOURCES.rb!;
SOURCES.ktm = SOURCES.kt!;

const CALLED = Object.values(LANGUAGES)
  .flatMap(({ name, endings }) => endings.map((ending) => [name, ending] as const))
  .filter(([name]) => name !== "HTML" && name !== "CSS");

describe.each(CALLED)("%s in a file .%s", (_name, ending) => {
  test("is searched by structure, without comments and strings", async () => {
    writeFileSync(place.path(`a.${ending}`), SOURCES[ending]!);
    const text = await place.text(astGrepTool({ anchors: false }), { pat: "call($$$ARGS)", paths: ["."] });
    const hits = text.split("\n").filter((line) => /^\s*\d+\S*\|/.test(line));
    expect(hits.map((line) => line.match(/call\([^)9]*\)/)?.[0])).toEqual([
      "call(1, 2)",
      ending === "php" ? "call($x)" : "call(x)",
    ]);
  });

  test("is rewritten by structure", async () => {
    writeFileSync(place.path(`a.${ending}`), SOURCES[ending]!);
    await place.run(astEditTool(), { ops: [{ pat: "call($$$ARGS)", out: "run(0, $$$ARGS)" }], paths: ["."] });
    await place.run(resolveTool(place), { action: "apply", reason: "yes" });
    const expected = SOURCES[ending]!.replace("call(1, 2)", "run(0, 1, 2)").replace(/call\((\$?x)\)/, "run(0, $1)");
    expect(readFileSync(place.path(`a.${ending}`), "utf8")).toBe(expected);
  });
});

test.each([
  ["html", '<div class="a"><b>x</b></div>\n', "<b>$X</b>", "<b>x</b>"],
  ["css", ".a { color: red; }\n.b { margin: 0 }\n", "color: $X", "color: red"],
  ["py", "def f(a):\n    return a\n", "def $F($$$P): $$$B", "def f(a):"],
  ["rs", 'fn f() { println!("a"); }\n', "println!($$$A)", 'println!("a")'],
  ["go", "package a\nfunc f(x int) int { return x }\n", "func $F($$$P) $R { $$$B }", "func f(x int) int"],
  ["java", "class A { void m() { int y = 3; } }\n", "int $X = $V;", "int y = 3;"],
  ["c", "int f() { if (a) b(); }\n", "if ($A) $B", "if (a) b();"],
  ["cpp", "std::vector<int> v;\n", "std::vector<$T>", "std::vector<int>"],
  ["cs", "class A { void M() { } }\n", "void $F() { }", "void M() { }"],
  ["rb", "class A\n  def f\n    puts 1\n  end\nend\n", "puts $X", "puts 1"],
  ["php", "<?php\n$o->m(3);\n", "$O->m($A)", "$o->m(3)"],
  ["kt", "val y = 3\n", "val $X = $V", "val y = 3"],
  ["swift", "let y = 3\n", "let $X = $V", "let y = 3"],
])("finds in a file .%s: %s", async (ending, source, pat, expected) => {
  writeFileSync(place.path(`a.${ending}`), source);
  expect(await place.text(astGrepTool(), { pat, paths: [`a.${ending}`] })).toContain(expected);
});

test("every separate parser is there for this machine, and a language without one has none", () => {
  for (const [language, { symbol }] of Object.entries(LANGUAGES))
    expect([language, findParser(language)]).toEqual([language, symbol ? expect.stringMatching(/\.so$/) : undefined]);
  expect(findParser("cobol")).toBeUndefined();
});

test("a missing parser is reported with a remedy, and other languages work", async () => {
  vi.resetModules();
  const { loadParsers } = await import("./parsers.ts");
  const problems = await loadParsers((language) => (language === "swift" ? undefined : findParser(language)));
  expect(problems.get("swift")).toMatch(/no parser for Swift .* install @ast-grep\/lang-swift/);
  const { astGrepTool: freshTool } = await import("./grep.ts");
  writeFileSync(place.path("a.swift"), "call(1)\n");
  await expect(place.text(freshTool(), { pat: "call($A)", paths: ["a.swift"] })).rejects.toThrow("no parser for Swift");
});
