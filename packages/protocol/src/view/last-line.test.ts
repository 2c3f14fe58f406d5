import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, draft, type Envelope } from "../events/envelope.ts";
import { failure } from "../failures/make-failure.ts";
import { LastLine } from "../sessions/schema.ts";
import { foldSession } from "./fold.ts";
import { lineOf, lineTypes } from "./last-line.ts";
import type { SessionView } from "./types.ts";

const at = "2026-01-01T00:00:00.000Z";
const envelope = (one: Draft, seq = 1) => ({ v: 1, session: "ses_1", seq, at, ...one }) as Envelope;
const line = (one: Draft) => lineOf(envelope(one));
const answer = (text: string, parent?: string) => draft("message.done", { item: "itm_1", text, parent });
const tool = (title: string, parent?: string) =>
  draft("tool.started", { item: "itm_2", name: "bash", kind: "execute", title, parent });
const turnEnded = (outcome: "completed" | "interrupted" | "failed", message?: string) =>
  draft("turn.ended", { outcome, error: message === undefined ? undefined : failure("network", message) });

describe("the line of an event", () => {
  it.each<[Draft, Partial<LastLine> | undefined]>([
    [draft("message.user", { message: "msg_1", text: "Fix\n  the tests" }), { kind: "user", text: "Fix the tests" }],
    [answer("\n\nDone.\n"), { kind: "agent", text: "Done." }],
    [answer("   "), undefined],
    [answer("inside", "itm_9"), undefined],
    [tool("npm test"), { kind: "tool", text: "npm test" }],
    [tool(""), { kind: "tool", text: "bash" }],
    [tool("npm test", "itm_9"), undefined],
    [draft("error", failure("network", "no route")), { kind: "error", text: "no route" }],
    [turnEnded("failed", "gave up"), { kind: "error", text: "gave up" }],
    [turnEnded("interrupted", "stopped"), undefined],
    [turnEnded("completed"), undefined],
    [draft("notice", { kind: "kit", severity: "warning", text: "goes without" }), { kind: "notice" }],
    [draft("notice", { kind: "wait", severity: "info", text: "in 3 s" }), undefined],
    [draft("model.changed", { to: "m" }), undefined],
  ])("%j", (one, expected) => {
    if (expected) expect(line(one)).toMatchObject({ seq: 1, at, ...expected });
    else expect(line(one)).toBeUndefined();
  });

  it("is one line of at most 200 characters, with no character cut in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (text) => {
        const found = line(answer(text));
        if (!found) return;
        expect(found.text.length).toBeLessThanOrEqual(200);
        expect(found.text).not.toMatch(/[\r\n\t]/);
        expect(found.text.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
    expect(line(answer("🚂".repeat(300)))?.text).toMatch(/^🚂+…$/u);
  });
});

it("the view holds the newest line, whatever comes after it", () => {
  const drafts = [
    draft("session.created", { agent: "a", mode: "ask", cwd: "/w", title: "T" }),
    answer("first"),
    tool("npm test"),
    draft("context.usage", { used: 3 }),
    draft("commands.changed", { list: [{ name: "compact" }] }),
    turnEnded("completed"),
  ];
  const views: SessionView[] = [];
  for (const [i, one] of drafts.entries()) views.push(foldSession(views.at(-1), envelope(one, i + 1)));
  expect(views.map((view) => view.last?.seq)).toEqual([undefined, 2, 3, 3, 3, 3]);
  expect(LastLine.parse(views.at(-1)?.last)).toEqual({ seq: 3, at, kind: "tool", text: "npm test" });
  expect(views.at(-1)?.commandsAt).toBe(5);
  expect(lineTypes).not.toContain("context.usage");
});
