import { makePaint } from "@gantry/terminal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionState } from "../../contract/session.ts";
import { type LiveParts, liveRows } from "./live-rows.ts";
import { createTerminalPerson, type Prompting } from "./terminal-person.ts";
import { TranscriptView } from "./transcript.ts";

const paint = makePaint(false);
const state = { model: { id: "heron" }, thinkingLevel: "off", mode: "ask", queuedMessageCount: 0, heldMessageCount: 0 };
const parts = (more: Partial<LiveParts>): LiveParts => ({
  width: 40,
  height: 24,
  view: new TranscriptView(paint),
  shown: { lines: [], tail: "", running: [] },
  prompting: undefined,
  picker: undefined,
  editor: { text: "", cursor: 0 },
  armed: false,
  since: undefined,
  state: state as unknown as SessionState,
  ...more,
});

describe("the live rows", () => {
  it("fit the terminal, with the cursor and the status, for any input, question and cursor", () => {
    const text = fc.array(fc.string({ maxLength: 60 }), { maxLength: 80 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 8, max: 60 }), fc.nat(80), (typed, at, height, asked) => {
        const lines = Array.from({ length: asked }, (_, n) => `question ${n}`);
        const prompting: Prompting | undefined = asked > 0 ? { lines } : undefined;
        const editor = { text: typed, cursor: at % (typed.length + 1) };
        const { rows, cursor } = liveRows(parts({ height, prompting, editor }));
        expect(rows.length).toBeLessThanOrEqual(height);
        expect(cursor.row).toBeLessThan(rows.length);
        expect(rows.join("\n")).toContain("heron");
      }),
    );
  });

  it("show the part of a long input that has the cursor, and its place", () => {
    const text = Array.from({ length: 100 }, (_, n) => `line ${n + 1}`).join("\n");
    const at = (cursor: number) => liveRows(parts({ height: 20, editor: { text, cursor } }));
    const end = at(text.length);
    expect(end.rows[end.cursor.row]).toBe("line 100");
    expect(end.rows.join("\n")).toContain("row 100 of 100 · heron · ask");
    const start = at(0);
    expect(start.rows[start.cursor.row]).toBe("› line 1");
  });

  it.each([
    ["off", "heron · ask"],
    ["high", "heron · thinking high · ask"],
  ])("name the thinking level %s only if there is thinking", (thinkingLevel, expected) => {
    const { rows } = liveRows(parts({ state: { ...state, thinkingLevel } as unknown as SessionState }));
    expect(rows.join("\n")).toContain(expected);
  });
});

describe("an approval on the terminal", () => {
  const ask = (preview: string) => {
    const printed: string[] = [];
    let shown: Prompting | undefined;
    const person = createTerminalPerson({
      paint,
      show: (prompting) => {
        shown = prompting;
      },
      edit: () => {},
      print: (lines) => printed.push(...lines),
    });
    const request = { toolCallId: "c", toolName: "write", title: "write a.txt", args: {}, actions: [], preview };
    const approval = person.approve(request, new AbortController().signal);
    return { approval, printed, shown: () => Promise.resolve().then(() => shown) };
  };
  const diffOf = (count: number) => Array.from({ length: count }, (_, n) => `+line ${n + 1}`).join("\n");

  it.each([0, 1, 12, 13, 500])("shows a preview of %i lines, all of them on request", async (count) => {
    const { approval, printed, shown } = ask(diffOf(count));
    const prompting = await shown();
    const isCut = count > 12;
    expect(prompting?.lines.filter((line) => line.includes("+line"))).toHaveLength(Math.min(count, 12));
    expect(prompting?.lines.at(-1)?.includes("v view all")).toBe(isCut);
    expect(prompting?.key?.("v")).toBe(isCut);
    expect(printed.filter((line) => line.includes("+line"))).toHaveLength(isCut ? count : 0);
    prompting?.key?.("y");
    expect(await approval).toEqual({ decision: "once" });
  });
});
