import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTerms } from "./terms.ts";
import { titleOf } from "./title-of.ts";
import { validTitle } from "./valid-title.ts";

describe("a title from the first message", () => {
  it.each<[string, string]>([
    ["Repair the lamp of the lighthouse", "Repair the lamp of the lighthouse"],
    ["Repair the lamp. Then paint the door.", "Repair the lamp"],
    ["Please could you fix the failing tests in the parser of the new module", "fix the failing tests"],
    ["Hi there! Can you explain closures?", "explain closures"],
    ["  \n\n# Refactor **the** `parser`\n\nIt is slow.", "Refactor the parser"],
    ["- first do this\n- then that", "first do this"],
    ["1. Read the log", "Read the log"],
    ["> quoted text here", "quoted text here"],
    ["hello", "hello"],
    ["Bug:\nthe lamp is off", "Bug: the lamp is off"],
    ["```ts\nconst a = 1;\n```\nWhy does this fail?", "Why does this fail"],
    ["```ts\nconst lamp = lit;\n```", "const lamp = lit"],
    ["```\nunclosed code only", "unclosed code only"],
    ["/review", "/review"],
    ["/review the parser changes", "/review the parser changes"],
    ["fix /home/me/work/project/src/parser/lexer.ts now", "fix parser/lexer.ts now"],
    ["look at @src/session/engine/transition.ts", "look at engine/transition.ts"],
    ["read C:\\Users\\me\\notes\\today.md", "read notes/today.md"],
    ["do this and/or that", "do this and/or that"],
    ["https://github.com/owner/repo/issues/12", "github.com issues/12"],
    ["see https://www.example.com/ please", "see example.com please"],
    ["See [the docs](https://example.com/a/b) first", "See the docs first"],
    ["修复登录页面的错误，然后添加新的测试用例并且更新文档", "修复登录页面的错误"],
    ["ログイン画面の不具合を直してください", "ログイン画面の不具合を直し"],
    ["แก้ไขหน้าเข้าสู่ระบบ", "แก้ไขหน้าเข้าสู่ระบบ"],
    ["👩‍👩‍👧‍👦 family page please", "👩‍👩‍👧‍👦 family page please"],
    ["🚀🚀🚀", "🚀🚀🚀"],
    ["Use C++ here", "Use C++ here"],
    ["what is C#", "what is C#"],
    ["Rename (in all files of the project)", "Rename in all files"],
    ["   ", "New session"],
    ["???", "New session"],
    ["\u202Egnp.exe\u202C evil name", "gnp.exe evil name"],
  ])("%j is %j", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });

  it("files alone give their names", () => {
    expect(titleOf(" ", [{ path: "/w/plan of lamp.png" }])).toBe("Attached plan of lamp.png");
    expect(titleOf("", [{ name: "a.txt" }, { name: "b.txt" }, { data: "" }])).toBe("Attached a.txt and 2 more");
    expect(titleOf("", [{ data: "" }])).toBe("Attached files");
    expect(titleOf("", [{ name: `${"x".repeat(300)}.png` }, {}]).length).toBeLessThanOrEqual(48);
  });

  const pieces = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "```",
      "\n",
      " ",
      "# ",
      "- ",
      "https://a.b/c/d",
      "/usr/lib/x/y",
      "字字字",
      "🚂",
      "...",
      "(",
      ")",
      "**",
      "the",
    ),
    fc.webUrl(),
    fc.lorem({ maxCount: 10 }),
  );
  const prompts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));

  it("is short, whole and one line, whatever was written", () => {
    fc.assert(
      fc.property(
        prompts,
        fc.array(fc.record({ name: fc.string({ unit: "binary" }) }), { maxLength: 3 }),
        (prompt, files) => {
          const title = titleOf(prompt, files);
          expect(title.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(48);
          expect(countTerms(title)).toBeLessThanOrEqual(6);
          expect(title.isWellFormed()).toBe(true);
          expect(title).not.toMatch(/[\n\r\t]|^\s|\s$|[.,;:!?…]$|```/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("has two to six terms if the message has enough", () => {
    const word = fc.stringMatching(/^[a-z]{1,7}$/).filter((text) => !["hi", "hey", "hello", "please"].includes(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 40 }), (terms) => {
        const count = countTerms(titleOf(terms.join(" ")));
        expect(count).toBeGreaterThanOrEqual(2);
        expect(count).toBeLessThanOrEqual(6);
      }),
    );
  });

  it("takes no time for a prompt of a megabyte", () => {
    for (const text of ["x", "( ", "**a", "[a](", "```\n", "<!--", "字", "~~a", "_a_ "]) {
      const before = performance.now();
      titleOf(text.repeat(1_000_000 / text.length));
      expect(performance.now() - before).toBeLessThan(10_000);
    }
  });
});

describe("a title from a model", () => {
  it.each<[string, string | undefined]>([
    ["Lighthouse Lamp Repair", "Lighthouse Lamp Repair"],
    ['"Lighthouse Lamp Repair."', "Lighthouse Lamp Repair"],
    ["Title: **Lamp Repair**", "Lamp Repair"],
    ["# Lamp Repair", "Lamp Repair"],
    ["修复登录错误", "修复登录错误"],
    ["Lamp", undefined],
    ["One two three four five six seven", undefined],
    ["Incomprehensibilities Internationalization Counterrevolutionaries", undefined],
    ["First line\nSecond line", undefined],
    ["I cannot help with that", undefined],
    ["Sorry, no title", undefined],
    ["See https://example.com/x", undefined],
    ["", undefined],
  ])("%j is %j", (text, title) => {
    expect(validTitle(text)).toBe(title);
  });

  it("obeys the rule or is none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const title = validTitle(text);
        if (title === undefined) return;
        expect(title.length).toBeLessThanOrEqual(48);
        expect(countTerms(title)).toBeGreaterThanOrEqual(2);
        expect(countTerms(title)).toBeLessThanOrEqual(6);
        expect(title).not.toMatch(/[\n\r]|[.,;:!?]$/);
      }),
    );
  });
});
