import { makeTheme, Picker } from "@gantry/terminal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionState } from "../../../contract/session.ts";
import { createTerminalPerson, type Prompting } from "../terminal-person.ts";
import { type LiveParts, rowsAbove, rowsBelow } from "./live-rows.ts";
import { TranscriptView } from "./transcript.ts";

const paint = makeTheme({ depth: 0, scheme: "dark" });
const state = { model: { id: "heron" }, thinkingLevel: "off", mode: "ask", queuedMessageCount: 0, heldMessageCount: 0 };
const stateOf = (more: object) => ({ ...state, ...more }) as unknown as SessionState;
const parts = (more: Partial<LiveParts>): LiveParts => ({
  width: 60,
  height: 20,
  view: new TranscriptView(paint),
  shown: { lines: [], tail: [], running: [] },
  prompting: undefined,
  picker: undefined,
  answer: { text: "", cursor: 0 },
  queue: [],
  expanded: false,
  armed: false,
  since: undefined,
  branch: undefined,
  cost: 0,
  state: stateOf({}),
  ...more,
});

describe("the rows around the input", () => {
  it("fit the terminal for any output, queue and typed filter", () => {
    const text = fc.string({ maxLength: 200 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), text, fc.integer({ min: 12, max: 60 }), (tail, filter, height) => {
        const picker = new Picker("Choose", [{ label: "one", pick: () => {} }]);
        picker.type(filter);
        const running = [{ title: filter, output: tail.join("\n") }];
        const rows = rowsAbove(parts({ height, picker, queue: tail, shown: { lines: [], tail, running } }));
        expect(rows.length).toBeLessThanOrEqual(Math.max(height, 16));
      }),
    );
  });

  it.each([
    ["off", "heron · ask"],
    ["high", "heron · thinking high · ask"],
  ])("name the thinking level %s only if there is thinking", (thinkingLevel, expected) => {
    expect(rowsBelow(parts({ state: stateOf({ thinkingLevel }) })).join("\n")).toContain(expected);
  });

  it("name context, cost, branch and the queue", () => {
    const busy = stateOf({ contextUsage: { percent: 12.3 }, queuedMessageCount: 3, heldMessageCount: 2 });
    const [status] = rowsBelow(parts({ width: 200, state: busy, cost: 0.25, branch: "main" }));
    expect(status).toBe("heron · ask · 12 % full · $0.2500 · main · 2 held: /queue resume or clear · 1 queued · /help");
    expect(rowsAbove(parts({ width: 100, state: busy, queue: ["a\nb", "c", "d", "e"] })).slice(1)).toEqual([
      "  held: a ↵ b",
      "  held: c",
      "  held: d",
      "  and 1 more · /queue resume runs, /queue clear removes, alt+up edits",
    ]);
  });

  it("show the end of what a command prints, and more of it when expanded", () => {
    const output = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join("\n");
    const shown = { lines: [], tail: [], running: [{ title: "bash make", output }] };
    const folded = rowsAbove(parts({ shown }));
    expect(folded.slice(0, 2)).toEqual(["◌ bash make", "  │ … 24 lines above, ctrl+o shows more"]);
    expect(folded.filter((row) => row.includes("│ line"))).toHaveLength(6);
    expect(rowsAbove(parts({ shown, expanded: true })).filter((row) => row.includes("│ line"))).toHaveLength(12);
  });
});

describe("an approval on the terminal", () => {
  const ask = async (preview: string) => {
    let shown: Prompting | undefined;
    const show = (prompting: Prompting | undefined) => {
      shown = prompting;
    };
    const person = createTerminalPerson({ paint, show, edit: () => {} });
    const request = { toolCallId: "c", toolName: "write", title: "write a.txt", args: {}, actions: [], preview };
    const approval = person.approve(request, new AbortController().signal);
    await Promise.resolve();
    return { approval, prompting: shown! };
  };
  const diffOf = (count: number) =>
    `--- a\n+++ b\n@@ -0,0 +1,${count} @@\n${Array.from({ length: count }, (_, n) => `+line ${n + 1}`).join("\n")}\n`;

  it.each([1, 12, 13, 500])("shows all of %i lines, in pages", async (count) => {
    const { approval, prompting } = await ask(diffOf(count));
    const seen = new Set<string>();
    for (let page = 0; page < 60; page++) {
      const rows = prompting.rows(60, 16);
      expect(rows.length).toBeLessThanOrEqual(16);
      expect(rows.at(-1)).toContain("y yes");
      for (const row of rows) if (row.includes("+ line")) seen.add(row);
      prompting.key?.("pagedown");
    }
    expect(seen.size).toBe(count);
    prompting.key?.("home");
    expect(prompting.rows(60, 16).join("\n")).toContain("1 + line 1");
    prompting.key?.("y");
    expect(await approval).toEqual({ decision: "once" });
  });
});
