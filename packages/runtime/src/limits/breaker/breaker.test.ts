import { failure } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Account,
  type Breaker,
  closeBreaker,
  isDue,
  isHoldable,
  isRefusal,
  lets,
  limitId,
  offerProbe,
  postponeTry,
  rearmBreaker,
  refuse,
  requestTry,
  type Signal,
  startTry,
} from "./breaker.ts";

const account: Account = { key: "anthropic", provider: "anthropic" };
const schedule = { backoffSeconds: [60, 120, 300], overloadSeconds: [10, 20], jitterSeconds: 5 };
const T = Date.parse("2026-11-16T10:00:00.000Z");
const at = (seconds: number) => T + seconds * 1000;
const iso = (seconds: number) => new Date(at(seconds)).toISOString();
const signal = (more: Partial<Signal> = {}): Signal => ({ source: "failure", ...more });
const open = (more: Partial<Signal> = {}, before?: Breaker, now = at(0), session = "ses_a") =>
  refuse(before, account, signal(more), session, now, schedule);
const wait = (breaker: Breaker, from = 0) => (Date.parse(breaker.nextTryAt) - at(from)) / 1000;

describe("a refusal", () => {
  it("is a limit of the account, not any failure", () => {
    const categories = ["rate_limit", "quota", "overloaded", "billing", "auth"] as const;
    expect(categories.filter((category) => isRefusal(failure(category, "no")))).toEqual(["rate_limit", "quota"]);
    expect(isHoldable(failure("overloaded", "500 Internal server error"))).toBe(false);
    expect(isHoldable(failure("overloaded", "API Error: 529 Overloaded"))).toBe(true);
  });

  it("opens by the schedule if no end is known, longer after each refused probe", () => {
    let breaker = open();
    expect(breaker).toMatchObject({ state: "open", since: iso(0), first: "ses_a", refusals: 1 });
    const waits = [wait(breaker)];
    for (let time = 0, round = 0; round < 3; round++) {
      time += waits.at(-1) ?? 0;
      breaker = open({}, startTry(breaker, "ses_b", at(time)), at(time));
      waits.push(wait(breaker, time));
    }
    expect(waits).toEqual([60, 120, 300, 300]);
    expect(breaker.since).toBe(iso(0));
  });

  it("opens until shortly after a known end", () => {
    const breaker = open({ resetsAt: iso(1000), window: "five_hour" });
    expect(breaker).toMatchObject({ resetsAt: iso(1000), window: "five_hour" });
    expect(wait(breaker)).toBeGreaterThanOrEqual(1000);
    expect(wait(breaker)).toBeLessThanOrEqual(1005);
  });

  it.each([iso(-10), "no time", iso(86_400 * 60)])("ignores the end %s", (resetsAt) => {
    expect(wait(open({ resetsAt }))).toBe(60);
  });

  it("does not reuse an end that proved wrong", () => {
    const first = open({ resetsAt: iso(1) });
    const now = Date.parse(first.nextTryAt);
    const second = open({ resetsAt: new Date(now + 1000).toISOString() }, startTry(first, "ses_a", now), now);
    expect(Date.parse(second.nextTryAt) - now).toBeGreaterThanOrEqual(60_000);
  });

  it("of a second session during the wait changes nothing but a better known end", () => {
    const first = open();
    const second = open({}, first, at(30), "ses_b");
    expect(second).toMatchObject({ nextTryAt: first.nextTryAt, refusals: 1, first: "ses_a", since: iso(0) });
    const third = open({ resetsAt: iso(600) }, second, at(31), "ses_c");
    expect(wait(third)).toBeGreaterThanOrEqual(600);
    expect(open({ resetsAt: iso(40) }, third, at(32)).nextTryAt).toBe(third.nextTryAt);
  });

  it("soon after closing continues the earlier backoff", () => {
    const second = open({}, startTry(open(), "ses_a", at(60)), at(60));
    const closed = closeBreaker(startTry(second, "ses_a", at(200)), at(201));
    expect(open({}, closed, at(202)).refusals).toBe(3);
    expect(open({}, closed, at(2000)).refusals).toBe(1);
  });
});

describe("a probe", () => {
  it("is one session, and only when it is due", () => {
    const breaker = open();
    expect(lets(breaker, "ses_b", at(59))).toBe(false);
    expect(startTry(breaker, "ses_b", at(59))).toBe(breaker);
    expect(lets(breaker, "ses_b", at(60))).toBe(true);
    const half = startTry(breaker, "ses_b", at(60));
    expect(["ses_a", "ses_b", "ses_c"].map((session) => lets(half, session, at(61)))).toEqual([false, true, false]);
    expect(startTry(half, "ses_c", at(61))).toBe(half);
  });

  it("without a result is repeated by another session, without a longer wait", () => {
    const half = startTry(open(), "ses_b", at(60));
    expect(postponeTry(half, "ses_c", at(61), schedule)).toBe(half);
    const again = postponeTry(half, "ses_b", at(61), schedule);
    expect(again).toMatchObject({ state: "open", refusals: 1, nextTryAt: iso(121) });
    expect(again.probe).toBeUndefined();
  });

  it("starts at once when a person requests it", () => {
    expect(isDue(requestTry(open({ resetsAt: iso(9999) }), at(1)), at(1))).toBe(true);
    const half = startTry(open(), "ses_b", at(60));
    expect(requestTry(half, at(61))).toBe(half);
  });

  it("is not delayed by a clock that was set back", () => {
    const breaker = open({ resetsAt: iso(1000) });
    const yesterday = at(-86_400);
    expect(Date.parse(rearmBreaker(breaker, yesterday, schedule).nextTryAt) - yesterday).toBe(60_000);
    expect(rearmBreaker(breaker, at(5), schedule)).toBe(breaker);
  });
});

describe("an overload", () => {
  it("opens with its own shorter schedule", () => {
    const first = open({ overload: true });
    expect(first).toMatchObject({ state: "open", overload: true, refusals: 1 });
    expect(wait(first)).toBe(10);
    const second = open({ overload: true }, startTry(first, "ses_a", at(10)), at(10));
    expect([wait(second, 10), second.refusals]).toEqual([20, 2]);
    expect(wait(postponeTry(startTry(second, "ses_a", at(30)), "ses_a", at(30), schedule), 30)).toBe(10);
  });

  it("neither shortens nor replaces the wait for a limit", () => {
    const limit = open({ resetsAt: iso(1000) });
    expect(open({ overload: true }, limit, at(5), "ses_b")).toBe(limit);
    const probe = startTry(limit, "ses_a", at(1010));
    expect(wait(open({ overload: true }, probe, at(1010)), 1010)).toBe(10);
  });

  it("gives way to a limit, which starts its own back-off", () => {
    const limit = open({}, open({ overload: true }), at(5));
    expect(limit.overload).toBeUndefined();
    expect([wait(limit, 5), limit.refusals]).toEqual([60, 1]);
  });
});

describe("a message of a person", () => {
  it("is the probe if no end of the limit is known, and waits if one is", () => {
    expect(isDue(offerProbe(open(), at(1)), at(1))).toBe(true);
    const known = open({ resetsAt: iso(1000) });
    expect(offerProbe(known, at(1))).toBe(known);
    const half = startTry(open(), "ses_b", at(60));
    expect(offerProbe(half, at(61))).toBe(half);
  });

  it("leaves the schedule unchanged when it is refused", () => {
    let breaker = open({}, startTry(open(), "ses_a", at(60)), at(60));
    const { nextTryAt, refusals } = breaker;
    for (let second = 61; second < 70; second++) {
      breaker = startTry(offerProbe(breaker, at(second)), "ses_b", at(second));
      expect(breaker.state).toBe("half_open");
      breaker = open({}, breaker, at(second), "ses_b");
      expect(breaker).toMatchObject({ state: "open", nextTryAt, refusals });
      expect(breaker.scheduledAt).toBeUndefined();
    }
  });
});

type Step = {
  do: "refuse" | "overload" | "try" | "answer" | "undecided" | "hurry" | "message" | "rearm";
  session: string;
  later: number;
  end?: number;
};

describe("for any sequence of events", () => {
  const step = fc.record({
    do: fc.constantFrom("refuse", "overload", "try", "answer", "undecided", "hurry", "message", "rearm"),
    session: fc.constantFrom("ses_a", "ses_b", "ses_c"),
    later: fc.integer({ min: 0, max: 500 }),
    end: fc.option(fc.integer({ min: -100, max: 10_000 }), { nil: undefined }),
  }) as fc.Arbitrary<Step>;

  it("at most one session probes, no session waits forever, and none starts while it is open", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let breaker: Breaker | undefined;
        let time = 0;
        for (const { do: what, session, later, end } of steps) {
          time += later;
          const now = at(time);
          const before = breaker;
          if (what === "refuse")
            breaker = open(end === undefined ? {} : { resetsAt: iso(time + end) }, breaker, now, session);
          else if (what === "overload") breaker = open({ overload: true }, breaker, now, session);
          else if (!breaker) continue;
          else if (what === "try") {
            const allowed = lets(breaker, session, now);
            breaker = startTry(breaker, session, now);
            if (allowed && before?.state === "open")
              expect(breaker).toMatchObject({ state: "half_open", probe: session });
            if (!allowed) expect(breaker).toBe(before);
          } else if (what === "answer") breaker = closeBreaker(breaker, now);
          else if (what === "undecided") breaker = postponeTry(breaker, session, now, schedule);
          else if (what === "rearm") breaker = rearmBreaker(breaker, now, schedule);
          else if (what === "message") {
            breaker = offerProbe(breaker, now);
            const isUnknown = before?.resetsAt === undefined || Date.parse(before.resetsAt) <= now;
            if (before?.state === "open") expect(isDue(breaker, now)).toBe(isUnknown || isDue(before, now));
            else expect(breaker).toBe(before);
          } else breaker = requestTry(breaker, now);
          if (what === "overload" && before?.state === "open" && !before.overload && !isDue(before, now))
            expect(breaker).toBe(before);
          check(breaker, now);
        }
      }),
    );
  });

  function check(breaker: Breaker, now: number): void {
    expect(breaker.probe !== undefined).toBe(breaker.state === "half_open");
    const allowed = ["ses_a", "ses_b", "ses_c"].filter((session) => lets(breaker, session, now));
    if (breaker.state === "half_open") expect(allowed).toEqual([breaker.probe]);
    if (breaker.state === "open" && Date.parse(breaker.nextTryAt) > now) expect(allowed).toEqual([]);
    expect(Date.parse(breaker.nextTryAt)).toBeLessThanOrEqual(now + 10_500_000);
    expect(breaker.refusals).toBeGreaterThan(0);
    if (breaker.state === "closed") expect(breaker.scheduledAt).toBeUndefined();
    if (breaker.overload && breaker.state === "open")
      expect(Date.parse(breaker.nextTryAt)).toBeLessThanOrEqual(now + 20_000);
    expect(JSON.parse(JSON.stringify(breaker))).toEqual(breaker);
  }
});

it("gives the same account the same id, which is valid in a path", () => {
  expect(limitId("anthropic")).toBe("lim_anthropic");
  expect(limitId("openai joe@example.com")).toMatch(/^lim_openai-joe-example\.com-\w+$/);
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (key) => {
      expect(limitId(key)).toMatch(/^lim_[\w.:#-]{1,200}$/);
      expect(limitId(key)).toBe(limitId(key));
    }),
  );
});
