import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Draft, draft, type Envelope } from "@gantry/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageFullError } from "../errors.ts";
import type { JournalRow, Store, UsageKey } from "../port.ts";
import { answered, asked, ended, Script, said } from "../testing/events.ts";
import { openStore } from "./open.ts";

let home: string;
let store: Store;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-"));
  store = openStore(join(home, "gantry.db"));
});

afterEach(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

/** Everything a caller can see of the store. */
function visible(session: string) {
  return {
    events: store.readAll(0, 10_000),
    session: store.sessions.get(session),
    env: store.sessions.env(session),
    pending: store.pendingInputs(),
    usage: store.usage(["agent", "model", "day", "session"]),
    grants: store.grants(),
    search: store.search("word", 1000).sort((a, b) => a.seq - b.seq),
    spools: store.spools.ofSession(session),
    journal: store.journal.list("prc_1"),
  };
}

function started(session = "ses_a", day?: string): Script {
  const script = new Script(session, day);
  store.commit({ session, events: script.created() });
  return script;
}

const frame = (id: string, ordinal: number, more: Partial<JournalRow> = {}): JournalRow => ({
  id,
  process: "prc_1",
  session: "ses_a",
  ordinal,
  atOffset: 0,
  frame: "{}",
  repeat: "ask",
  state: "pending",
  ...more,
});

describe("events", () => {
  it("come back byte for byte as they were committed, in order, from any place", () => {
    const script = started();
    const events = script.add(...Array.from({ length: 50 }, (_, i) => said(`é🎉\u2028 ${i}\0`)));
    const stored = store.commit({ session: "ses_a", events });
    expect(stored.map((event) => event.json)).toEqual(events.map((event) => JSON.stringify(event)));
    expect(store.readEvents("ses_a", 1, 100)).toEqual(stored);
    expect(store.readEvents("ses_a", 49, 100).map((event) => event.seq)).toEqual([50, 51]);
    expect(store.tailEvents("ses_a", 3)).toEqual(stored.slice(-3));
    expect(store.readEvents("ses_a", 1, 2)).toEqual(stored.slice(0, 2));
    expect([store.lastSeq("ses_a"), store.lastSeq("ses_x"), store.lastId()]).toEqual([51, 0, stored.at(-1)!.id]);
  });

  it("have one order over all sessions, from any cursor and for any choice of sessions", () => {
    const scripts = [started("ses_a"), started("ses_b"), started("ses_c")];
    for (let i = 0; i < 60; i++) {
      const script = scripts[(i * 7) % 3]!;
      store.commit({ session: script.session, events: script.add(said(`${i}`), said(`${i}`)) });
    }
    const all = store.readAll(0, 1000);
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    for (const only of [["ses_a"], ["ses_a", "ses_c"], ["ses_x"], ["ses_b", "ses_b", "ses_x"]]) {
      for (const after of [0, 1, 5, 64, 122, 123, 500]) {
        const expected = all.filter((event) => only.includes(event.session) && event.id > after).slice(0, 10);
        expect(store.readAll(after, 10, only)).toEqual(expected);
      }
    }
  });

  it("are found by their item", () => {
    const script = started();
    const tool = draft("tool.started", { item: "itm_t", name: "bash", kind: "execute", title: "ls" });
    const done = draft("tool.ended", { item: "itm_t", status: "ok" });
    store.commit({ session: "ses_a", events: script.add(said("x", "itm_o"), tool, said("y", "itm_o"), done) });
    expect(store.findItem("ses_a", "itm_t").map((event) => event.seq)).toEqual([3, 5]);
    expect(store.findItem("ses_b", "itm_t")).toEqual([]);
  });

  it("must follow without a gap, in their own session", () => {
    const script = started();
    const [second, third, fourth] = script.add(said("a"), said("b"), said("c"));
    const before = visible("ses_a");
    const batches: Envelope[][] = [
      [third!],
      [second!, fourth!],
      [{ ...second!, session: "ses_b" }],
      [{ ...second!, seq: 1 }],
    ];
    for (const events of batches) {
      expect(() => store.commit({ session: "ses_a", events })).toThrow("cannot follow");
      expect(visible("ses_a")).toEqual(before);
    }
    store.commit({ session: "ses_a", events: [second!, third!, fourth!] });
    expect(store.lastSeq("ses_a")).toBe(4);
  });

  it("keep ids that were never used before, also after a deletion and a restart", () => {
    const script = started();
    const last = store.commit({ session: "ses_a", events: script.add(said("x")) }).at(-1)!;
    store.sessions.delete("ses_a");
    store.close();
    store = openStore(join(home, "gantry.db"));
    started("ses_b");
    expect(store.readAll(0, 10)[0]!.id).toBeGreaterThan(last.id);
  });
});

describe("a commit", () => {
  it("is one: spool, journal, messages and events together", () => {
    const script = started();
    store.commit({
      session: "ses_a",
      events: script.add(said("x")),
      spool: { process: "prc_1", offset: 100, checkpoint: "{}" },
      journal: { add: [frame("f1", 1), frame("f2", 2, { key: "k", repeat: "safe" })] },
      messages: [{ id: "msg_1", hash: "h1" }],
      request: { hash: "r", env: { TOKEN: "secret" } },
    });
    store.commit({
      session: "ses_a",
      events: [],
      spool: { process: "prc_1", errOffset: 7 },
      journal: { set: [{ id: "f1", state: "written" }] },
    });
    expect(store.spools.get("prc_1")).toEqual({
      process: "prc_1",
      session: "ses_a",
      offset: 100,
      errOffset: 7,
      checkpoint: "{}",
      checkpointOffset: 100,
    });
    expect(store.journal.list("prc_1").map(({ id, state, key }) => [id, state, key])).toEqual([
      ["f1", "written", undefined],
      ["f2", "pending", "k"],
    ]);
    expect(store.journal.list("prc_1", ["pending"]).length).toBe(1);
    expect(store.journal.nextOrdinal("prc_1")).toBe(3);
    expect(store.findMessage("ses_a", "msg_1")).toBe("h1");
    expect(store.sessions.get("ses_a")).toMatchObject({ request: "r", lastSeq: 2 });
    expect(store.sessions.env("ses_a")).toEqual({ TOKEN: "secret" });
    expect(JSON.stringify(store.readAll(0, 10))).not.toContain("secret");
  });

  it("changes nothing when any part of it fails", () => {
    const script = started();
    store.commit({
      session: "ses_a",
      events: script.add(asked("inp_1"), said("word")),
      journal: { add: [frame("f1", 1)] },
    });
    store.commit({ session: "ses_a", events: [], messages: [{ id: "msg_1", hash: "h" }] });
    const before = visible("ses_a");
    const events = script.add(answered("inp_1"), said("another word"), ended(5));
    const spool = { process: "prc_1", offset: 10 };
    const parts = [
      { journal: { add: [frame("f1", 2)] } },
      { journal: { add: [frame("f2", 1)] } },
      { journal: { set: [{ id: "nothing", state: "acked" as const }] } },
      { messages: [{ id: "msg_1", hash: "h" }] },
    ];
    for (const part of parts) {
      expect(() => store.commit({ session: "ses_a", events, spool, ...part })).toThrow();
      expect(visible("ses_a")).toEqual(before);
    }
    store.commit({ session: "ses_a", events, spool });
    expect(store.findInput("inp_1")).toMatchObject({ state: "resolved", resolution: { decision: "allow" } });
  });

  it("that finds no room says so, changes nothing, and may be tried again", () => {
    store.close();
    store = openStore(join(home, "small.db"), { maxPages: 120 });
    const script = started();
    let refused: Envelope[] | undefined;
    for (let i = 0; i < 200 && !refused; i++) {
      const events = script.add(said(`word ${"x".repeat(4000)}`));
      const before = visible("ses_a");
      try {
        store.commit({ session: "ses_a", events });
      } catch (error) {
        expect(error).toBeInstanceOf(StorageFullError);
        expect(visible("ses_a")).toEqual(before);
        refused = events;
      }
    }
    store.close();
    store = openStore(join(home, "small.db"));
    expect(store.commit({ session: "ses_a", events: refused! })[0]!.seq).toBe(store.lastSeq("ses_a"));
  });
});

describe("what is folded from the log", () => {
  const drafts: Record<string, () => Draft> = {
    user: () => draft("message.user", { message: "msg_1", text: "a word" }),
    started: () => draft("turn.started", { trigger: "user", messages: ["msg_1"] }, { turn: "trn_1" }),
    ended: () => ended(10, { usd: 0.5 }),
    served: () => ended(1, { servedModel: "m9" }),
    said: () => said("a word"),
    asked: () => asked("inp_1"),
    answered: () => answered("inp_1"),
    askedAgain: () => asked("inp_2"),
    renamed: () => draft("session.updated", { patch: { title: "word", agent: "other", model: null } }),
    model: () => draft("model.changed", { to: "m2" }),
    raw: () => draft("raw", { channel: "c", frame: { blob: "0".repeat(64) } }),
    archived: () => draft("session.updated", { patch: { archived: true } }),
    over: () => draft("session.ended", { reason: "failed" }),
  };

  it("equals the fold, whatever the events and however they were batched", () => {
    const kinds = fc.array(fc.constantFrom(...Object.keys(drafts)), { maxLength: 30 });
    let count = 0;
    fc.assert(
      fc.property(kinds, fc.array(fc.integer({ min: 1, max: 20 })), fc.boolean(), (names, sizes, withView) => {
        const script = started(`ses_${count++}`);
        const events = names.map((name) => drafts[name]!());
        for (let i = 0; events.length > 0; i++) {
          const batch = script.add(...events.splice(0, sizes[i] ?? 3));
          store.commit({ session: script.session, events: batch, view: withView ? script.view : undefined });
        }
        const before = visible(script.session);
        expect(before.session?.view).toEqual(JSON.parse(JSON.stringify(script.view)));
        store.rebuild(script.session);
        expect(visible(script.session)).toEqual(before);
        store.sessions.delete(script.session);
      }),
      { numRuns: 60 },
    );
    expect(store.readAll(0, 10)).toEqual([]);
  });

  it("has pending inputs of all sessions and their answers", () => {
    const a = started("ses_a");
    const b = started("ses_b");
    store.commit({ session: "ses_b", events: b.add(asked("inp_b", "ses_b")) });
    store.commit({ session: "ses_a", events: a.add(asked("inp_a")) });
    expect(store.pendingInputs().map((input) => input.id)).toEqual(["inp_b", "inp_a"]);
    store.commit({ session: "ses_b", events: b.add(answered("inp_b")) });
    expect(store.pendingInputs().map((input) => input.id)).toEqual(["inp_a"]);
    expect(store.findInput("inp_b")).toMatchObject({
      session: "ses_b",
      state: "resolved",
      request: { title: "May I inp_b?" },
    });
    expect(store.findInput("inp_x")).toBeUndefined();
    expect(store.sessions.get("ses_a")).toMatchObject({ pending: 1, state: "waiting" });
  });

  it("sums usage by any keys", () => {
    const a = started("ses_a", "2026-11-14");
    const b = started("ses_b", "2026-11-15");
    store.commit({ session: "ses_a", events: a.add(ended(10, { usd: 1 }), ended(5)) });
    store.commit({ session: "ses_b", events: b.add(ended(7, { usd: 3, servedModel: "m2" })) });
    const table = (by: UsageKey[]) =>
      store
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
    expect(store.usage([]).total).toMatchObject({
      turns: 3,
      usage: { input: 22, output: 6 },
      cost: { usd: 4, agent: 4, list: 0 },
    });
  });
});

describe("sessions", () => {
  it("are listed the newest first, page by page, filtered by state, words and archive", () => {
    for (let i = 1; i <= 7; i++) {
      const script = new Script(`ses_${i}`, `2026-11-0${i}`);
      const events = script.created({ title: i % 2 ? `Odd 100%_${i}` : `Even ${i}`, cwd: `/work/p${i}` });
      if (i === 4)
        events.push(...script.add(draft("turn.started", { trigger: "user", messages: [] }, { turn: "trn_1" })));
      if (i === 5) events.push(...script.add(draft("session.updated", { patch: { archived: true } })));
      store.commit({ session: script.session, events });
    }
    const ids = (query: Parameters<Store["sessions"]["list"]>[0]) =>
      store.sessions.list(query).sessions.map((row) => row.id);
    expect(ids({})).toEqual(["ses_7", "ses_6", "ses_4", "ses_3", "ses_2", "ses_1"]);
    expect(ids({ archived: true })).toEqual(["ses_5"]);
    expect(ids({ archived: "any" }).length).toBe(7);
    expect(ids({ state: "running" })).toEqual(["ses_4"]);
    expect(ids({ q: "odd p3" })).toEqual(["ses_3"]);
    expect(ids({ q: "100%_" })).toEqual(["ses_7", "ses_3", "ses_1"]);
    expect(ids({ q: "%" }).length).toBe(3);
    const first = store.sessions.list({ limit: 4 });
    expect(first.sessions.length).toBe(4);
    expect(store.sessions.list({ limit: 4, cursor: first.nextCursor })).toMatchObject({
      sessions: [{ id: "ses_2" }, { id: "ses_1" }],
      nextCursor: undefined,
    });
    expect(() => store.sessions.list({ cursor: "rubbish" })).toThrow("cursor is not one");
  });

  it("are hidden at once when marked, and leave nothing behind when deleted", () => {
    const script = started();
    const blob = "b".repeat(64);
    const spilled = draft("raw", { channel: "c", frame: { blob, size: 1, head: "", tail: "" } });
    store.commit({
      session: "ses_a",
      events: script.add(said("word"), asked("inp_1"), ended(1), spilled),
      spool: { process: "prc_1", offset: 1 },
      journal: { add: [frame("f1", 1)] },
      messages: [{ id: "msg_1", hash: "h" }],
    });
    const other = started("ses_b");
    store.commit({ session: "ses_b", events: other.add(said("word")) });
    store.sessions.markDeleted("ses_a");
    expect(store.sessions.get("ses_a")).toBeUndefined();
    expect([store.pendingInputs(), store.search("word", 9).length, store.sessions.doomed()]).toEqual([
      [],
      1,
      ["ses_a"],
    ]);
    expect(store.sessions.delete("ses_a")).toEqual({ blobs: [blob] });
    expect([store.findInput("inp_1"), store.findMessage("ses_a", "msg_1"), store.spools.get("prc_1")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([store.journal.list("prc_1"), store.sessions.doomed(), store.refersTo(blob)]).toEqual([[], [], false]);
    expect(store.usage([]).total.turns).toBe(0);
    expect(store.sessions.list().sessions.map((row) => row.id)).toEqual(["ses_b"]);
    expect(started("ses_a").seq).toBe(1);
  });

  it("give up only blobs that no other session refers to", () => {
    const shared = "c".repeat(64);
    const event = draft("raw", { channel: "c", frame: { blob: shared, size: 1, head: "", tail: "" } });
    for (const session of ["ses_a", "ses_b"]) {
      const script = started(session);
      store.commit({ session, events: script.add(event) });
    }
    expect(store.sessions.delete("ses_a")).toEqual({ blobs: [] });
    expect(store.refersTo(shared)).toBe(true);
    expect(store.sessions.delete("ses_b")).toEqual({ blobs: [shared] });
  });
});

describe("the file", () => {
  it("is for the owner alone, and keeps what is set", () => {
    expect(statSync(join(home, "gantry.db")).mode & 0o777).toBe(0o600);
    store.meta.set("port", "1");
    store.meta.set("port", "2");
    store.close();
    store = openStore(join(home, "gantry.db"));
    expect([store.meta.get("port"), store.meta.get("none")]).toEqual(["2", undefined]);
  });

  it("gives the end of a long log as fast as the end of a short one", () => {
    const short = started("ses_short");
    store.commit({
      session: "ses_short",
      events: short.add(...Array.from({ length: 300 }, () => draft("raw", { channel: "c", frame: 1 }))),
    });
    const long = started("ses_long");
    for (let i = 0; i < 100; i++) {
      const events = long.add(...Array.from({ length: 1000 }, () => draft("raw", { channel: "c", frame: 1 })));
      store.commit({ session: "ses_long", events, view: long.view });
    }
    const fastest = (session: string) =>
      Math.min(
        ...Array.from({ length: 15 }, () => {
          const before = performance.now();
          expect(store.tailEvents(session, 200).length).toBe(200);
          return performance.now() - before;
        }),
      );
    expect(fastest("ses_long") / fastest("ses_short")).toBeLessThan(5);
  });
});
