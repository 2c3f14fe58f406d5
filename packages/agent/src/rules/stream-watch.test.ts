import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessagePiece } from "../contract/events.ts";
import type { RuleProblem } from "../contract/rules.ts";
import type { Rule } from "./rule.ts";
import { STREAM_RULE_DEFAULTS, type StreamRuleSettings, Watch } from "./stream-watch.ts";

const rule = (more: Partial<Rule>): Rule => ({
  name: "no-any",
  path: "/r/no-any.md",
  source: "native",
  content: "Never write any.",
  root: "/w",
  condition: [": any\\b"],
  ...more,
});
const watch = (more: Partial<Rule> = {}, settings: Partial<StreamRuleSettings> = {}, problems: RuleProblem[] = []) => {
  const made = new Watch([rule(more)], { ...STREAM_RULE_DEFAULTS, ...settings }, "/w", problems);
  made.begin();
  return made;
};
const text = (delta: string, index = 0): MessagePiece => ({ type: "text_delta", index, delta });
const thinkingDelta = (delta: string): MessagePiece => ({ type: "thinking_delta", index: 1, delta });

/** Streams a call in pieces of a few characters; returns the first intervention. */
function call(made: Watch, name: string, args: Record<string, unknown>, size = 5) {
  made.feed({ type: "toolcall_start", index: 2, id: "c", name });
  const json = JSON.stringify(args);
  for (let at = 0; at < json.length; at += size) {
    const results = made.feed({ type: "toolcall_delta", index: 2, delta: json.slice(at, at + size) });
    if (results) return results;
  }
  return made.feed({ type: "toolcall_end", index: 2, toolCall: { type: "toolCall", id: "c", name, arguments: args } });
}

describe("a stream rule", () => {
  it("matches across piece boundaries", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const made = watch();
        const whole = "let x: any = 1; more";
        let at = 0;
        let hit: unknown;
        for (const size of [...sizes, whole.length]) {
          hit ??= made.feed(text(whole.slice(at, at + size)));
          at += size;
        }
        expect(hit).toMatchObject({ rules: [{ name: "no-any", path: "/r/no-any.md" }], keep: false });
      }),
    );
  });

  it("does not join pieces of different blocks", () => {
    const made = watch();
    expect(made.feed(text("x:", 0))).toBeUndefined();
    expect(made.feed(text(" any ", 3))).toBeUndefined();
    expect(made.feed(text(" any ", 0))).toBeDefined();
  });

  it("is injected once, and the rest of the answer is ignored", () => {
    const made = watch();
    expect(made.feed(text("x: any "))?.text).toMatch(
      /<system-interrupt reason="rule_violation" rule="no-any"[\s\S]*Never write any/,
    );
    expect(made.feed(text("y: any "))).toBeUndefined();
    made.begin();
    expect(made.feed(text("y: any "))).toBeUndefined();
  });

  it("repeats after a gap if configured, also counted from a resume", () => {
    const made = watch({}, { repeatMode: "after-gap", repeatGap: 2 });
    made.restore(["no-any"]);
    const results = [1, 2, 3, 4].map(() => {
      const hit = made.feed(text("x: any "));
      made.begin();
      return hit !== undefined;
    });
    expect(results).toEqual([false, false, true, false]);
  });

  it("keeps the partial answer when contextMode is keep", () => {
    expect(watch({}, { contextMode: "keep" }).feed(text("x: any "))?.keep).toBe(true);
  });
});

describe("scopes", () => {
  it("default to text and tools; thinking must be named", () => {
    expect(watch().feed(thinkingDelta("x: any "))).toBeUndefined();
    expect(watch({ scope: ["thinking"] }).feed(thinkingDelta("x: any "))).toBeDefined();
    expect(watch({ scope: ["thinking"] }).feed(text("x: any "))).toBeUndefined();
    expect(call(watch(), "write", { content: "x: any " })).toBeDefined();
  });

  it("name a tool, and files of a tool, whichever argument comes first", () => {
    const scope = ["tool:edit(*.ts)"];
    const content = "const x: any = 1";
    expect(call(watch({ scope }), "edit", { path: "src/a.ts", content })).toBeDefined();
    expect(call(watch({ scope }), "edit", { content, path: "/w/src/a.ts" })).toBeDefined();
    expect(
      call(watch({ scope }), "edit", { content: `${content}${" ".repeat(50_000)}`, path: "a.ts" }, 512),
    ).toBeDefined();
    expect(call(watch({ scope }), "edit", { path: "src/a.js", content })).toBeUndefined();
    expect(call(watch({ scope }), "write", { path: "src/a.ts", content })).toBeUndefined();
    expect(watch({ scope }).feed(text(content))).toBeUndefined();
    expect(call(watch({ scope: ["tool:bash"] }), "bash", { command: "echo x: any " })).toBeDefined();
    expect(call(watch({ scope }), "edit", { input: `*** Update File: src/a.ts\n+${content} ` })).toBeDefined();
  });

  it("match the decoded text of a call", () => {
    const made = watch({ condition: ['log\\("hi"\\)\\n$'] });
    expect(call(made, "write", { content: 'log("hi")\n' }, 3)).toBeUndefined();
    expect(
      call(watch({ condition: ['^\\s*log\\("hi"\\)', 'log\\("hi"\\)'] }), "write", { content: 'log("hi")\n' }, 3),
    ).toBeDefined();
  });

  it("honour the rule's globs", () => {
    const globs = ["src/**"];
    expect(call(watch({ globs }), "edit", { path: "/w/src/a.ts", content: "x: any " })).toBeDefined();
    expect(call(watch({ globs }), "edit", { path: "/w/lib/a.ts", content: "x: any " })).toBeUndefined();
    expect(watch({ globs }).feed(text("x: any "))).toBeUndefined();
  });
});

describe("interrupting", () => {
  it.each([
    ["never", false, false],
    ["prose-only", true, false],
    ["tool-only", false, true],
    ["always", true, true],
  ] as const)("%s", (interruptMode, prose, tool) => {
    for (const made of [() => watch({ interruptMode }), () => watch({}, { interruptMode })]) {
      const inProse = made();
      expect(inProse.feed(text("x: any ")) !== undefined).toBe(prose);
      expect(inProse.end() !== undefined).toBe(!prose);
      const inTool = made();
      expect(call(inTool, "write", { content: "x: any " }) !== undefined).toBe(tool);
      expect(inTool.end()?.text ?? "<system-reminder").toContain("<system-reminder");
      inTool.begin();
      expect(call(inTool, "write", { content: "x: any " })).toBeUndefined();
    }
  });
});

describe("patterns that take long", () => {
  it("are stopped and reported, and the rule is turned off", () => {
    const problems: RuleProblem[] = [];
    const made = watch({ condition: ["(a+)+$b"] }, {}, problems);
    const from = performance.now();
    for (let piece = 0; piece < 50; piece++) made.feed(text("a".repeat(40)));
    expect(performance.now() - from).toBeLessThan(20_000);
    expect(problems).toMatchObject([{ file: "/r/no-any.md", message: expect.stringMatching(/too long/) }]);
  });

  it("do not include fast ones: a long answer is watched to its end", () => {
    const made = watch({ condition: ["\\d+:\\s", "zzz.*q"] });
    for (let piece = 0; piece < 5000; piece++) expect(made.feed(text("some text "))).toBeUndefined();
    expect(made.feed(text("5: "))).toBeDefined();
  });
});
