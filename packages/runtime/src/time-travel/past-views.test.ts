import { type Draft, draft, type Envelope, foldSession, type SessionView } from "@gantry/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { inputRequest, inputResolution, textDone } from "../log/testing/events.ts";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import { PastViews } from "./past-views.ts";

const at = new TemporaryStore();

/** A turn with a tool, an input, an answer and a plan. */
function turn(n: number): Draft[] {
  const id = `trn_${n}`;
  const item = `itm_${n}`;
  const entries = [{ text: `Step ${n}`, status: "pending" as const }];
  return [
    draft("turn.started", { trigger: "user", messages: [] }, { turn: id }),
    draft("plan.updated", { entries }, { turn: id }),
    draft("tool.started", { item, name: "bash", kind: "execute", title: "ls" }, { turn: id }),
    inputRequest(`inp_${n}`),
    inputResolution(`inp_${n}`),
    draft("tool.ended", { item, status: "ok" }, { turn: id }),
    textDone(`Answer ${n}`, `itm_${n}b`),
    draft("turn.ended", { outcome: "completed", usage: { input: n, output: 2 } }, { turn: id }),
  ];
}

/** Writes a session and returns the fold after each of its events. */
function write(events: number): SessionView[] {
  const script = at.startSession();
  const drafts = Array.from({ length: Math.ceil(events / 8) }, (_, n) => turn(n)).flat();
  const log = script.add(...drafts.slice(0, events - 1));
  at.store.commit({ session: "ses_a", events: log });
  const [first] = at.store.readEvents("ses_a", 0, 1);
  const views = [foldSession(undefined, JSON.parse(first?.json ?? "") as Envelope)];
  for (const event of log) views.push(foldSession(views.at(-1), event));
  return views;
}

it("returns the fold of the log up to any event, whatever was read before", async () => {
  const views = write(5300);
  const plans = (seq: number) => Math.floor((seq - 3) / 8);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 3, max: views.length }), { minLength: 1, maxLength: 8 }),
      async (all) => {
        const past = new PastViews(at.store);
        const found = await Promise.all(all.map((seq) => past.at("ses_a", seq)));
        for (const [index, seq] of all.entries()) {
          expect(found[index]?.view).toEqual(views[seq - 1]);
          expect(found[index]?.plan?.entries[0]?.text).toBe(`Step ${plans(seq)}`);
        }
      },
    ),
    { numRuns: 25 },
  );
});

it("reads only the events after the nearest snapshot once a log was read", async () => {
  write(5300);
  let read = 0;
  const counting = {
    sessions: at.store.sessions,
    readEvents: (...args: Parameters<typeof at.store.readEvents>) => {
      const rows = at.store.readEvents(...args);
      read += rows.length;
      return rows;
    },
  };
  const past = new PastViews(counting);
  await past.at("ses_a", 5300);
  expect(read).toBe(5300);
  for (const seq of [5299, 4001, 1500, 1000]) {
    read = 0;
    await past.at("ses_a", seq);
    expect(read).toBe(seq % 1000);
  }
});

it("lets other work run while it folds a long log, and stops when the caller has left", async () => {
  write(5000);
  const past = new PastViews(at.store);
  let others = 0;
  let running = true;
  const count = () => {
    others++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await past.at("ses_a", 5000);
  expect(others).toBeGreaterThanOrEqual(15);
  const abort = new AbortController();
  const left = new PastViews(at.store).at("ses_a", 5000, abort.signal);
  abort.abort();
  await expect(left).rejects.toMatchObject({ code: "unavailable" });
  running = false;
});

it("discards the snapshots of a deleted session when its id is used again", async () => {
  write(2100);
  const past = new PastViews(at.store);
  await past.at("ses_a", 2100);
  at.store.sessions.delete("ses_a");
  const script = at.startSession("ses_a", "2026-11-16");
  at.store.commit({ session: "ses_a", events: script.add(...Array.from({ length: 2000 }, () => textDone("new"))) });
  const { view } = await past.at("ses_a", 2000);
  expect(view).toMatchObject({ turns: 0, createdAt: script.view?.createdAt });
});
