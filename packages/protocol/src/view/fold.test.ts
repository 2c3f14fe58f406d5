import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, draft, type Envelope } from "../events/envelope.ts";
import { eventTypes } from "../events/table.ts";
import { activityTypes, isActivity } from "./activity.ts";
import { foldSession, sessionState } from "./fold.ts";
import type { SessionView } from "./types.ts";

const session = "ses_1";
const turn = "trn_1";
const created = draft("session.created", { agent: "claude", mode: "ask", cwd: "/w", title: "T" });
const message = (id: string, text = id) => draft("message.user", { message: id, text, attachments: [] });
const delivery = (id: string, state: "queued" | "sent" | "delivered" | "cancelled", position?: number) =>
  draft("message.delivery", { message: id, state, position });

function view(...drafts: Draft[]): SessionView {
  const events = [created, ...drafts].map(
    (one, i) =>
      ({ v: 1, session, seq: i + 1, at: `2026-01-01T00:00:${String(i).padStart(2, "0")}.000Z`, ...one }) as Envelope,
  );
  const folded = events.reduce<SessionView | undefined>(foldSession, undefined);
  if (!folded) throw new Error("nothing was folded");
  return folded;
}

const request = (id: string, blocking = true) =>
  draft(
    "input.requested",
    { id, session, kind: "approval", title: "?", blocking },
    { turn, ext: { claude: { request: `native ${id}` } } },
  );

describe("a session's state", () => {
  it("follows turns, inputs, limits and the end", () => {
    const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
    const limit = draft("limit.reached", { provider: "p" });
    const ended = draft("turn.ended", { outcome: "completed" }, { turn });
    expect(sessionState(view())).toBe("idle");
    expect(sessionState(view(started))).toBe("running");
    expect(sessionState(view(started, request("inp_1")))).toBe("waiting");
    expect(sessionState(view(started, request("inp_1", false)))).toBe("running");
    expect(
      sessionState(
        view(started, request("inp_1"), draft("input.resolved", { id: "inp_1", decision: "allow", by: "user" })),
      ),
    ).toBe("running");
    expect(sessionState(view(started, ended))).toBe("idle");
    expect(sessionState(view(limit))).toBe("limited");
    expect(sessionState(view(limit, started))).toBe("running");
    expect(sessionState(view(limit, draft("limit.cleared", { provider: "p" })))).toBe("idle");
    expect(sessionState(view(started, draft("session.ended", { reason: "failed" })))).toBe("ended");
  });

  it("keeps the agent's own name of an input, which the answer needs", () => {
    expect(view(request("inp_1")).inputs[0]).toMatchObject({ id: "inp_1", native: "native inp_1" });
  });
});

describe("the queue", () => {
  const queue = (...drafts: Draft[]) => view(...drafts).queue.map((entry) => entry.text);

  it("takes, moves, edits and gives up messages", () => {
    const three = ["msg_a", "msg_b", "msg_c"].flatMap((id) => [message(id), delivery(id, "queued")]);
    expect(queue(...three)).toEqual(["msg_a", "msg_b", "msg_c"]);
    expect(queue(...three, delivery("msg_c", "queued", 0))).toEqual(["msg_c", "msg_a", "msg_b"]);
    expect(queue(...three, delivery("msg_a", "queued", 99))).toEqual(["msg_b", "msg_c", "msg_a"]);
    expect(queue(...three, delivery("msg_b", "cancelled"))).toEqual(["msg_a", "msg_c"]);
    const edit = draft("message.delivery", { message: "msg_b", state: "edited", text: "new" });
    expect(queue(...three, edit)).toEqual(["msg_a", "new", "msg_c"]);
  });

  it("knows a message as sent until the agent has it", () => {
    const sent = view(message("msg_a"), delivery("msg_a", "queued"), delivery("msg_a", "sent"));
    expect([sent.queue, sent.sent.map((entry) => entry.message)]).toEqual([[], ["msg_a"]]);
    const back = view(message("msg_a"), delivery("msg_a", "sent"), delivery("msg_a", "queued", 0));
    expect([back.queue.length, back.sent.length]).toEqual([1, 0]);
    expect(view(message("msg_a"), delivery("msg_a", "delivered")).sent).toEqual([]);
    expect(view(delivery("msg_unknown", "queued")).queue).toEqual([]);
  });

  it("never holds a message twice, nor in two places", () => {
    const states = ["queued", "sent", "delivered", "cancelled", "inline", "failed", "edited"] as const;
    const step = fc.record({
      message: fc.constantFrom("msg_a", "msg_b", "msg_c"),
      state: fc.constantFrom(...states),
      position: fc.option(fc.nat(4), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { queue, sent } = view(
          message("msg_a"),
          message("msg_b"),
          message("msg_c"),
          ...steps.map((data) => draft("message.delivery", data)),
        );
        const all = [...queue, ...sent].map((entry) => entry.message);
        expect(new Set(all).size).toBe(all.length);
      }),
    );
  });
});

describe("sums and settings", () => {
  it("adds usage and cost over turns, and calls the sum an estimate when a part of it is one", () => {
    const usage = { input: 10, output: 1 };
    const end = (source: "agent" | "list") =>
      draft(
        "turn.ended",
        {
          outcome: "completed",
          usage: { ...usage, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
          cost: { usd: 0.5, source },
        },
        { turn },
      );
    const folded = view(end("list"), end("agent"));
    expect([folded.usage.input, folded.cost]).toEqual([20, { usd: 1, source: "list" }]);
  });

  it("takes what changed and leaves the rest; null takes away", () => {
    const one = draft("session.updated", {
      patch: { model: "m", effort: "high", handles: { claude: "c", codex: "x" } },
    });
    const two = draft("session.updated", { patch: { model: null, title: "New", handles: { codex: null } } });
    expect(view(one, two)).toMatchObject({ model: undefined, effort: "high", title: "New", handles: { claude: "c" } });
  });
});

it("the fold of every type leaves the numbers of the last event, and mutates nothing", () => {
  const before = Object.freeze(view(message("msg_a"), delivery("msg_a", "queued")));
  for (const array of [before.queue, before.sent, before.inputs, before.tools]) Object.freeze(array);
  for (const type of eventTypes) {
    const event = JSON.parse(
      readFileSync(join(import.meta.dirname, "../events/fixtures", `${type}.json`), "utf8"),
    ) as Envelope;
    const after = foldSession(before, event);
    if (type === "session.created") continue;
    const expected = isActivity(event) ? { seq: event.seq, at: event.at } : before.activity;
    expect([after.lastSeq, after.activity, after.updatedAt]).toEqual([event.seq, expected, expected?.at]);
  }
});

it("comments, released processes and system notes are not activity", () => {
  const quiet = [
    "comment.added",
    "comment.updated",
    "comment.removed",
    "process.released",
    "notice",
    "session.updated",
  ];
  expect(activityTypes.filter((type) => quiet.includes(type))).toEqual([]);
});

it("a log that does not start at its start is refused", () => {
  const event = { v: 1, session, seq: 1, at: "2026-01-01T00:00:00.000Z", ...message("msg_a") } as Envelope;
  expect(() => foldSession(undefined, event)).toThrow("does not start with session.created");
});
