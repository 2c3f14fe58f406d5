import { DatabaseSync } from "node:sqlite";
import { type Draft, draft } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UsageKey } from "./port.ts";
import { inputRequest, inputResolution, textDone, turnEnd } from "./testing/events.ts";
import { TemporaryStore } from "./testing/temporary-store.ts";

const at = new TemporaryStore();

describe("the caches of the log", () => {
  const drafts: Record<string, () => Draft> = {
    user: () => draft("message.user", { message: "msg_1", text: "a word" }),
    started: () => draft("turn.started", { trigger: "user", messages: ["msg_1"] }, { turn: "trn_1" }),
    ended: () => turnEnd(10, { usd: 0.5 }),
    served: () => turnEnd(1, { servedModel: "m9" }),
    text: () => textDone("a word"),
    asked: () => inputRequest("inp_1"),
    answered: () => inputResolution("inp_1"),
    askedAgain: () => inputRequest("inp_2"),
    renamed: () => draft("session.updated", { patch: { title: "word", agent: "other", model: null } }),
    model: () => draft("model.changed", { to: "m2" }),
    raw: () => draft("raw", { channel: "c", frame: { blob: "0".repeat(64) } }),
    archived: () => draft("session.updated", { patch: { archived: true } }),
    over: () => draft("session.ended", { reason: "failed" }),
  };

  it("equal the fold for any events in any batches", () => {
    const kinds = fc.array(fc.constantFrom(...Object.keys(drafts)), { maxLength: 30 });
    let count = 0;
    fc.assert(
      fc.property(kinds, fc.array(fc.integer({ min: 1, max: 20 })), fc.boolean(), (names, sizes, withView) => {
        const script = at.startSession(`ses_${count++}`);
        const events = names.map((name) => drafts[name]!());
        for (let i = 0; events.length > 0; i++) {
          const batch = script.add(...events.splice(0, sizes[i] ?? 3));
          at.store.commit({ session: script.session, events: batch, view: withView ? script.view : undefined });
        }
        const before = at.readVisible(script.session);
        expect(before.session?.view).toEqual(JSON.parse(JSON.stringify(script.view)));
        at.store.rebuild(script.session);
        expect(at.readVisible(script.session)).toEqual(before);
        at.store.sessions.delete(script.session);
      }),
      { numRuns: 60 },
    );
    expect(at.store.readAll(0, 10)).toEqual([]);
  });

  it("can be rebuilt from the events alone", () => {
    const script = at.startSession();
    const events = script.add(...Object.values(drafts).map((make) => make()));
    at.store.commit({ session: "ses_a", events });
    const before = at.readVisible("ses_a");
    const vandal = new DatabaseSync(at.path);
    vandal.exec("DELETE FROM inputs; DELETE FROM usage; DELETE FROM search; DELETE FROM blob_refs");
    vandal.exec("UPDATE sessions SET view = json_set(view, '$.title', 'x', '$.turns', 99), title = 'x', pending = 7");
    vandal.close();
    expect(at.readVisible("ses_a")).not.toEqual(before);
    at.store.rebuild("ses_a");
    expect(at.readVisible("ses_a")).toEqual(before);
    expect(at.store.refersTo("0".repeat(64))).toBe(true);
  });

  it("list the pending inputs of all sessions and their answers", () => {
    const a = at.startSession("ses_a");
    const b = at.startSession("ses_b");
    at.store.commit({ session: "ses_b", events: b.add(inputRequest("inp_b", "ses_b")) });
    at.store.commit({ session: "ses_a", events: a.add(inputRequest("inp_a")) });
    expect(at.store.pendingInputs().map((input) => input.id)).toEqual(["inp_b", "inp_a"]);
    at.store.commit({ session: "ses_b", events: b.add(inputResolution("inp_b")) });
    expect(at.store.pendingInputs().map((input) => input.id)).toEqual(["inp_a"]);
    expect(at.store.findInput("inp_b")).toMatchObject({
      session: "ses_b",
      state: "resolved",
      request: { title: "May I inp_b?" },
    });
    expect(at.store.findInput("inp_x")).toBeUndefined();
    expect(at.store.sessions.get("ses_a")).toMatchObject({ pending: 1, state: "waiting" });
  });

  it("sum usage by any keys", () => {
    const a = at.startSession("ses_a", "2026-11-14");
    const b = at.startSession("ses_b", "2026-11-15");
    at.store.commit({ session: "ses_a", events: a.add(turnEnd(10, { usd: 1 }), turnEnd(5)) });
    at.store.commit({ session: "ses_b", events: b.add(turnEnd(7, { usd: 3, servedModel: "m2" })) });
    const table = (by: UsageKey[]) =>
      at.store
        .usage(by)
        .rows.map((row) => [row.agent, row.model, row.day, row.session, row.turns, row.usage.input, row.cost.usd]);
    expect(table(["day"])).toEqual([
      [undefined, undefined, "2026-11-15", undefined, 1, 7, 3],
      [undefined, undefined, "2026-11-14", undefined, 2, 15, 1],
    ]);
    expect(table(["session", "agent", "model"])).toEqual([
      ["fake", "m2", undefined, "ses_b", 1, 7, 3],
      ["fake", "m1", undefined, "ses_a", 2, 15, 1],
    ]);
    expect(at.store.usage([]).total).toMatchObject({
      turns: 3,
      usage: { input: 22, output: 6 },
      cost: { usd: 4, agent: 4, list: 0 },
    });
  });
});
