import { expect, test } from "vitest";
import { checkFunctions } from "./functions.ts";

const check = (text: string, path = "scripts/sample.ts") =>
  checkFunctions([
    { path, text, lines: text.split("\n").length, isTest: path.includes(".fake."), imports: [], packages: [] },
  ]);

test("reports functions and arrow constants that are named with a participle alone", () => {
  const text = "function parsed() {}\nexport const quoted = (a: string) => a;\nasync function* gathered() {}\n";
  expect(check(text)).toEqual([
    "scripts/sample.ts:1: parsed: name it verb + object",
    "scripts/sample.ts:2: quoted: name it verb + object",
    "scripts/sample.ts:3: gathered: name it verb + object",
  ]);
});

test("accepts verbs that end in -ed, compound names, methods, and variables that hold data", () => {
  const text = "function feed() {}\nfunction parsedRow() {}\nconst ended = 1;\nclass Sink { ended() {} }\n";
  expect(check(text)).toEqual([]);
});

test("accepts any name in a fake", () => {
  expect(check("function parsed() {}\n", "scripts/sample.fake.ts")).toEqual([]);
});

test("reports a function over 60 lines", () => {
  const text = `function build() {\n${"  step();\n".repeat(59)}}\n`;
  expect(check(text)).toEqual(["scripts/sample.ts:1: build has 61 lines (at most 60)"]);
});
