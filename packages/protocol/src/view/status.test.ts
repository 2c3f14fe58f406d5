import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, draft, type Envelope } from "../events/envelope.ts";
import { failure } from "../failures/make-failure.ts";
import type { Launch } from "../launches/schema.ts";
import { sessionGroups } from "../status/groups.ts";
import { lastActivity } from "./activity.ts";
import { foldSession } from "./fold.ts";
import { launchStatus, slotStatus } from "./launch-status.ts";
import { compareStatuses, orderSessions, sessionStatus, statusText } from "./status.ts";
import type { SessionView } from "./types.ts";

const now = new Date("2026-01-01T12:00:00.000Z");
const session = "ses_1";
const turn = "trn_1";
const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;

function view(...drafts: Draft[]): SessionView {
  const created = draft("session.created", { agent: "claude", mode: "ask", cwd: "/w", title: "T" });
  const events = [created, ...drafts].map(
    (one, index) => ({ v: 1, session, seq: index + 1, at: at(index), ...one }) as Envelope,
  );
  return events.reduce<SessionView | undefined>(foldSession, undefined) as SessionView;
}

const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
const ended = (outcome: "completed" | "interrupted" | "failed") =>
  draft(
    "turn.ended",
    { outcome, ...(outcome === "failed" ? { error: failure("network", "no route") } : {}) },
    { turn },
  );
const input = (kind: "approval" | "question" | "plan" = "approval", blocking = true) =>
  draft("input.requested", { id: `inp_${kind}`, session, kind, title: `A ${kind}?`, blocking }, { turn });
const limit = draft("limit.reached", { provider: "anthropic", resetsAt: "2026-01-03T00:00:00.000Z" });
const queued = [
  draft("message.user", { message: "msg_1", text: "more", attachments: [] }),
  draft("message.delivery", { message: "msg_1", state: "queued" }),
];
const note = draft("notice", { kind: "base_moved", severity: "warning", text: "main moved" });

describe("the status of a session", () => {
  it.each<[string, Draft[]]>([
    ["Done · not started", []],
    ["Working", [started]],
    ["Done", [started, ended("completed")]],
    ["Done · stopped", [started, ended("interrupted")]],
    ["Needs you · failed", [started, ended("failed")]],
    ["Needs you · approval", [started, input()]],
    ["Needs you · question", [started, input("question", false)]],
    ["Needs you · plan +1", [started, input("plan"), input("question")]],
    ["Held · stalled", [started, draft("health.stalled", { since: at(1), reason: "no output", actions: [] })]],
    ["Held · rate limit", [started, ended("failed"), draft("limit.reached", { provider: "p" })]],
    ["Held · until resumed", [draft("limit.reached", { provider: "p", resetsAt: at(9), autoResume: false })]],
    ["Held · budget used up", [draft("limit.reached", { provider: "p", source: "budget" })]],
    ["Working · starting", queued],
    ["Needs you · failed", [started, ended("failed"), ...queued]],
    ["Done · ended", [started, draft("session.ended", { reason: "failed" })]],
    ["Done · failed", [started, ended("failed"), draft("session.updated", { patch: { archived: true } })]],
    ["Working", [started, ended("failed"), started]],
  ])("is %s", (text, drafts) => {
    expect(statusText(sessionStatus(view(...drafts), now))).toBe(text);
  });

  it("states until when a limit holds, and that it can be tried now", () => {
    const status = sessionStatus(view(limit), now);
    expect(status).toMatchObject({ group: "held", until: "2026-01-03T00:00:00.000Z", remedy: "try_now" });
    expect(status.reason).toMatch(/^until 2026-01-0\d \d\d:\d\d$/);
    expect(status.detail).toMatch(/^Anthropic rate limit, retries 2026-01-0\d \d\d:\d\d$/);
  });

  it("has the failure and the request as its detail", () => {
    expect(sessionStatus(view(started, ended("failed")))).toMatchObject({ detail: "no route", failed: true });
    expect(sessionStatus(view(started, input()))).toMatchObject({ detail: "A approval?", since: at(2) });
  });

  it("is the same for a view and for a session of the API", () => {
    const { ended: reason, ...fields } = view(started, draft("session.ended", { reason: "failed" }));
    expect(reason).toBe("failed");
    expect(sessionStatus({ ...fields, state: "ended" })).toEqual(sessionStatus({ ...fields, ended: reason }));
  });
});

describe("system notes", () => {
  it("change neither the activity nor the order, whatever their number", () => {
    const notes: Draft[] = [
      note,
      draft("session.updated", { patch: { title: "New title" } }),
      draft("limit.cleared", { provider: "p" }),
      draft("context.usage", { used: 1 }),
      draft("commands.changed", { list: [] }),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...notes), { maxLength: 20 }), (more) => {
        const before = view(started, ended("completed"));
        const after = view(started, ended("completed"), ...more);
        expect(lastActivity(after)).toEqual(lastActivity(before));
        expect(compareStatuses(sessionStatus(after, now), sessionStatus(before, now))).toBe(0);
      }),
    );
  });

  it("leave the activity of a view that was stored without one at the end of its last turn", () => {
    const { activity, ...old } = view(started, ended("completed"));
    expect(activity).toEqual({ seq: 3, at: at(2) });
    const noted = foldSession(old as SessionView, { v: 1, session, seq: 4, at: at(50), ...note } as Envelope);
    expect(lastActivity(noted).at).toBe(at(2));
  });
});

describe("the order of sessions", () => {
  const request = (minute: number) => ({ group: "needs_you", reason: "approval", since: at(minute) }) as const;
  const failed = (minute: number) => ({ ...request(minute), reason: "failed", failed: true }) as const;

  it("has the oldest request first, then failures, the latest first", () => {
    const sorted = [failed(1), request(3), failed(4), request(2)].sort(compareStatuses);
    expect(sorted).toEqual([request(2), request(3), failed(4), failed(1)]);
  });

  it("has the limit that ends first before the others", () => {
    const held = (until?: string) => ({ group: "held", since: at(1), ...(until ? { until } : {}) }) as const;
    expect([held(), held(at(9)), held(at(5))].sort(compareStatuses)).toEqual([held(at(5)), held(at(9)), held()]);
  });

  it("is total: it sorts any mix by group, and the same for every input order", () => {
    const any = fc.record({
      group: fc.constantFrom(...sessionGroups),
      since: fc.integer({ min: 0, max: 50 }).map(at),
      until: fc.option(fc.integer({ min: 0, max: 50 }).map(at), { nil: undefined }),
      failed: fc.constantFrom(true as const, undefined),
    });
    fc.assert(
      fc.property(fc.array(any), (statuses) => {
        const sorted = statuses.toSorted(compareStatuses);
        expect(statuses.toReversed().sort(compareStatuses).map(key)).toEqual(sorted.map(key));
        const groups = sorted.map(({ group }) => sessionGroups.indexOf(group));
        expect(groups).toEqual(groups.toSorted((a, b) => a - b));
      }),
    );
    function key(status: { group: string; since: string; until?: string; failed?: true }): string {
      const { group, since, until, failed } = status;
      return JSON.stringify([group, since, group === "held" && until, group === "needs_you" && failed]);
    }
  });

  it("never puts a done session before another", () => {
    const ordered = orderSessions([view(started, ended("completed")), view(started), view(limit)], now);
    expect(ordered.map(({ status }) => status.group)).toEqual(["working", "held", "done"]);
  });
});

describe("the status of a launch", () => {
  const launch = { state: "running", createdAt: at(0), updatedAt: at(1) } as Launch;
  const done = { group: "done", since: at(5) } as const;

  it("is that of its most urgent slot, counted", () => {
    const held = { group: "held", reason: "until 15:58", since: at(2), remedy: "try_now" } as const;
    expect(statusText(launchStatus(launch, [done, held, held]))).toBe("Held · 2 of 3, until 15:58");
    expect(statusText(launchStatus(launch, [done, done]))).toBe("Done");
    expect(statusText(launchStatus({ ...launch, state: "cancelled" }, [done]))).toBe("Done · cancelled");
  });

  it("names the preparation of a slot without a session", () => {
    const slot = (state: string, more = {}) => slotStatus({ state, ...more } as Launch["slots"][number], launch);
    expect(statusText(slot("creating"))).toBe("Working · creating lane");
    expect(statusText(slot("failed", { error: { message: "no" } }))).toBe("Needs you · failed");
    expect(statusText(slot("cleaned"))).toBe("Done · removed");
    expect(statusText(slot("waiting", { status: done }))).toBe("Done");
  });
});
