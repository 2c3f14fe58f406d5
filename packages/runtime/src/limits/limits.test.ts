import type { SessionView } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Config } from "../config.ts";
import type { Breaker } from "./breaker/breaker.ts";
import { Limits } from "./limits.ts";

const T = Date.parse("2026-11-16T10:00:00.000Z");
const at = (seconds: number) => new Date(T + seconds * 1000).toISOString();
const KEY = "provider";
const open: Breaker = {
  id: "lim_1",
  key: KEY,
  provider: KEY,
  state: "open",
  refusals: 1,
  since: at(0),
  nextTryAt: at(60),
  source: "failure",
};
const queue = [{ message: "msg_1", text: "go", attachments: [], delivery: "auto" as const }];
const session = (limit?: SessionView["limit"]) =>
  ({ id: "ses_1", agent: "one", queue, limit }) as Partial<SessionView> as SessionView;

beforeEach(() => void vi.useFakeTimers({ now: T }));
afterEach(() => void vi.useRealTimers());

/** Limits with one open breaker and the waiting sessions in `parked`. */
function withOpenBreaker() {
  const parked: SessionView[] = [];
  const woken: { id: string; at: number }[] = [];
  const limits = new Limits({
    records: { get: () => open, put: () => {}, delete: () => {}, list: () => [open] },
    config: Config.parse({}),
    now: Date.now,
    account: () => ({ key: KEY, provider: KEY }),
    sessions: () => ({
      parked: () => parked,
      view: () => parked[0],
      wake: (id) => void woken.push({ id, at: Date.now() }),
      handOn: () => Promise.reject(new Error("no handoff in this test")),
    }),
    spentSince: () => ({ usd: 0, unpriced: 0 }),
    log: () => {},
  });
  limits.restore();
  return { limits, parked, woken };
}

it("wakes a session that joins a limit with no earlier waiters", async () => {
  const { limits, parked, woken } = withOpenBreaker();
  expect(vi.getTimerCount()).toBe(0);

  const gate = limits.gate();
  const hold = gate.hold(session());
  expect(hold).toMatchObject({ limit: "lim_1", nextTryAt: at(60), autoResume: true });
  parked.push(session({ provider: KEY, since: at(0), autoResume: true }));
  limits.take(gate);

  await vi.advanceTimersByTimeAsync(59_000);
  expect(woken).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(woken[0]).toEqual({ id: "ses_1", at: T + 60_000 });
  limits.stop();
});

it("sets no timer for a step that holds no session", async () => {
  const { limits } = withOpenBreaker();
  const gate = limits.gate();
  gate.hold(session({ provider: KEY, since: at(0), autoResume: true }));
  limits.take(gate);
  await vi.advanceTimersByTimeAsync(1);
  expect(vi.getTimerCount()).toBe(0);
  limits.stop();
});
