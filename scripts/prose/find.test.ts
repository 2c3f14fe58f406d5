import { describe, expect, test } from "vitest";
import { findPhrases } from "./find.ts";

describe("findPhrases", () => {
  test("reports the line, the phrase and a better term", () => {
    expect(findPhrases("fine\nThe agent is told twice.")).toEqual([
      { line: 2, phrase: "told", instead: "notify, publish, send, report, log" },
    ]);
  });

  test.each(["toldStanding", "lastWords", "kept_brief", "isHeard"])("finds the part of the name %s", (name) => {
    expect(findPhrases(`const ${name} = 1;`)).toHaveLength(1);
  });

  test.each(["wholesale", "foretold", "keptn", "ids", "aside", "swords"])("accepts the word %s", (word) => {
    expect(findPhrases(word)).toEqual([]);
  });

  test("skips a line that is marked as a quotation", () => {
    expect(findPhrases('const quote = "nobody"; // prose-ignore: a vendor\'s text')).toEqual([]);
  });

  test.each(["firstKeptEntryId", '"[[say:hello]] now"'])("accepts the fixed name in %s", (name) => {
    expect(findPhrases(`const entry = ${name};`)).toEqual([]);
  });
});
