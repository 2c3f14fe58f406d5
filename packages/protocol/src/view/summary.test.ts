import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, draft, type Envelope } from "../events/envelope.ts";
import { failure } from "../failures/make-failure.ts";
import { foldSession } from "./fold.ts";
import { cutText, plainText } from "./plain-text.ts";
import { firstSentence } from "./summary.ts";
import type { SessionView } from "./types.ts";

const turn = "trn_1";
const created = draft("session.created", { agent: "a", mode: "ask", cwd: "/w", title: "T" });
const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
const ended = draft("turn.ended", { outcome: "completed" }, { turn });
const answer = (text: string, phase?: "commentary" | "final") => draft("message.done", { item: "itm_m", text, phase });

function tool(item: string, kind: "edit" | "execute" | "read", paths: string[] = [], status: "ok" | "denied" = "ok") {
  const changes = paths.map((path) => ({ path, kind: "update" as const }));
  return [
    draft("tool.started", { item, name: kind, kind, title: `title of ${item}` }),
    draft("tool.ended", { item, status, ...(paths.length > 0 ? { changes } : {}) }),
  ];
}

function fold(...drafts: Draft[]): SessionView {
  const all = [created, ...drafts] as Draft[];
  const envelopes = all.map((one, i) => ({
    v: 1,
    session: "ses_1",
    seq: i + 1,
    at: "2026-01-01T00:00:00.000Z",
    ...one,
  }));
  return (envelopes as Envelope[]).reduce<SessionView | undefined>(foldSession, undefined) as SessionView;
}

describe("the summary of a session", () => {
  it.each<[string, Draft[], string | undefined]>([
    ["an answer", [answer("Fixed it. And more.")], "Fixed it."],
    ["the final answer", [answer("Fixed it.", "final"), answer("By the way.")], "Fixed it."],
    ["deeds", [...tool("itm_1", "edit", ["a", "b"]), ...tool("itm_2", "execute")], "2 files changed, 1 command run."],
    [
      "both",
      [answer("Done"), ...tool("itm_1", "edit", ["a"]), ...tool("itm_2", "edit", ["a"])],
      "Done. 1 file changed.",
    ],
    ["a file that is only named", tool("itm_1", "edit"), "1 file changed."],
    ["what was denied", [answer("No."), ...tool("itm_1", "edit", ["a"], "denied")], "No."],
    ["reading", [answer("Read."), ...tool("itm_1", "read")], "Read."],
    ["many", [...Array(30).keys()].flatMap((n) => tool(`itm_${n}`, "edit", [`f${n}`])), "20 or more files changed."],
    ["nothing", [], undefined],
  ])("from %s", (_, drafts, summary) => {
    const view = fold(started, ...drafts, ended);
    expect(view.summary).toBe(summary);
    expect(view.tally).toBeUndefined();
  });

  it("states why a turn failed, and stays when a turn has no answer", () => {
    const error = failure("network", "There is no route. Try again.");
    const failed = draft("turn.ended", { outcome: "failed", error }, { turn });
    expect(fold(started, failed).summary).toBe("The turn failed: There is no route.");
    expect(fold(started, answer("First."), ended, started, ended).summary).toBe("First.");
  });

  it("of a model stays until the next turn has ended", () => {
    const model = draft("session.updated", { patch: { summary: "A model's.", summaryBy: "model" } });
    expect(fold(started, answer("Mine."), ended, model, started)).toMatchObject({
      summary: "A model's.",
      summaryBy: "model",
    });
    expect(fold(started, answer("Mine."), ended, model, started, answer("New."), ended)).toMatchObject({
      summary: "New.",
      summaryBy: "log",
    });
  });

  it("is bounded for an answer of any length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (text) => {
        const sentence = firstSentence(text);
        expect(sentence.length).toBeLessThanOrEqual(201);
        expect(sentence).not.toMatch(/[\n\r]/);
        expect(sentence.isWellFormed()).toBe(true);
      }),
    );
  });
});

it("plainText strips the Markdown syntax and leaves the text", () => {
  expect(plainText("# Title\n\nSome *nice* [link](http://x) and `code`.\n```js\nlet x\n```\n- item")).toBe(
    "Title\n\nSome nice link and code.\n\nitem",
  );
  expect(plainText("snake_case_name and 2 * 3 * 4")).toBe("snake_case_name and 2 * 3 * 4");
  expect(plainText("```\nonly code\n```")).toBe("only code");
});

it("a text is cut between what people see as characters", () => {
  expect(cutText("ab👩‍👩‍👧‍👦cd", 5)).toBe("ab");
  expect(cutText("e\u0301e\u0301", 3)).toBe("e\u0301");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, length) => {
      const cut = cutText(text, length);
      expect(cut.length).toBeLessThanOrEqual(length);
      expect(text.startsWith(cut) || !text.isWellFormed()).toBe(true);
    }),
  );
});
