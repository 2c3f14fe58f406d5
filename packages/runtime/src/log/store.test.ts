import { statSync } from "node:fs";
import { join } from "node:path";
import { draft, type Envelope } from "@gantry/protocol";
import { describe, expect, it, vi } from "vitest";
import { StorageFullError } from "./errors.ts";
import type { JournalRow, Store } from "./port.ts";
import { openStore } from "./sqlite/open.ts";
import { inputRequest, inputResolution, Script, textDone, turnEnd } from "./testing/events.ts";
import { TemporaryStore } from "./testing/temporary-store.ts";

const at = new TemporaryStore();

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
  it("are moved from the write-ahead log into the database when no more are stored", async () => {
    const script = at.startSession();
    const events = script.add(...Array.from({ length: 100 }, () => textDone("x".repeat(50_000))));
    at.store.commit({ session: "ses_a", events });
    const megabytes = () => statSync(at.path).size / 1e6;
    expect(megabytes()).toBeLessThan(5);
    await vi.waitUntil(() => megabytes() > 5, { timeout: 15_000 });
    expect(at.store.readEvents("ses_a", 1, 200).map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq));
  });

  it("come back byte for byte as they were committed, in order, from any place", () => {
    const script = at.startSession();
    const events = script.add(...Array.from({ length: 50 }, (_, i) => textDone(`é🎉\u2028 ${i}\0`)));
    const stored = at.store.commit({ session: "ses_a", events });
    expect(stored.map((event) => event.json)).toEqual(events.map((event) => JSON.stringify(event)));
    expect(at.store.readEvents("ses_a", 1, 100)).toEqual(stored);
    expect(at.store.readEvents("ses_a", 49, 100).map((event) => event.seq)).toEqual([50, 51]);
    expect(at.store.tailEvents("ses_a", 3)).toEqual(stored.slice(-3));
    expect(at.store.readEvents("ses_a", 1, 2)).toEqual(stored.slice(0, 2));
    expect([at.store.lastSeq("ses_a"), at.store.lastSeq("ses_x"), at.store.lastId()]).toEqual([
      51,
      0,
      stored.at(-1)!.id,
    ]);
  });

  it("have one order over all sessions, from any cursor and for any choice of sessions", () => {
    const scripts = [at.startSession("ses_a"), at.startSession("ses_b"), at.startSession("ses_c")];
    for (let i = 0; i < 60; i++) {
      const script = scripts[(i * 7) % 3]!;
      at.store.commit({ session: script.session, events: script.add(textDone(`${i}`), textDone(`${i}`)) });
    }
    const all = at.store.readAll(0, 1000);
    expect(all.map((event) => event.id)).toEqual(all.map((_, index) => index + 1));
    for (const only of [["ses_a"], ["ses_a", "ses_c"], ["ses_x"], ["ses_b", "ses_b", "ses_x"]]) {
      for (const after of [0, 1, 5, 64, 122, 123, 500]) {
        const expected = all.filter((event) => only.includes(event.session) && event.id > after).slice(0, 10);
        expect(at.store.readAll(after, 10, only)).toEqual(expected);
      }
    }
  });

  it("are found by their item", () => {
    const script = at.startSession();
    const tool = draft("tool.started", { item: "itm_t", name: "bash", kind: "execute", title: "ls" });
    const done = draft("tool.ended", { item: "itm_t", status: "ok" });
    at.store.commit({
      session: "ses_a",
      events: script.add(textDone("x", "itm_o"), tool, textDone("y", "itm_o"), done),
    });
    expect(at.store.findItem("ses_a", "itm_t").map((event) => event.seq)).toEqual([3, 5]);
    expect(at.store.findItem("ses_b", "itm_t")).toEqual([]);
  });

  it("must follow without a gap, in their own session", () => {
    const script = at.startSession();
    const [second, third, fourth] = script.add(textDone("a"), textDone("b"), textDone("c"));
    const before = at.readVisible("ses_a");
    const batches: Envelope[][] = [
      [third!],
      [second!, fourth!],
      [{ ...second!, session: "ses_b" }],
      [{ ...second!, seq: 1 }],
    ];
    for (const events of batches) {
      expect(() => at.store.commit({ session: "ses_a", events })).toThrow("cannot follow");
      expect(at.readVisible("ses_a")).toEqual(before);
    }
    at.store.commit({ session: "ses_a", events: [second!, third!, fourth!] });
    expect(at.store.lastSeq("ses_a")).toBe(4);
  });

  it("keep ids that were never used before, also after a deletion and a restart", () => {
    const script = at.startSession();
    const last = at.store.commit({ session: "ses_a", events: script.add(textDone("x")) }).at(-1)!;
    at.store.sessions.delete("ses_a");
    at.reopen();
    at.startSession("ses_b");
    expect(at.store.readAll(0, 10)[0]!.id).toBeGreaterThan(last.id);
  });
});

describe("a commit", () => {
  it("is one: spool, journal, messages and events together", () => {
    const script = at.startSession();
    at.store.commit({
      session: "ses_a",
      events: script.add(textDone("x")),
      spool: { process: "prc_1", offset: 100, mark: "{}" },
      journal: { add: [frame("f1", 1), frame("f2", 2, { key: "k", repeat: "safe" })] },
      messages: [{ id: "msg_1", hash: "h1" }],
      request: { hash: "r", env: { TOKEN: "secret" } },
    });
    at.store.commit({
      session: "ses_a",
      events: [],
      spool: { process: "prc_1", errOffset: 7 },
      journal: { set: [{ id: "f1", state: "written" }] },
    });
    expect(at.store.spools.get("prc_1")).toEqual({
      process: "prc_1",
      session: "ses_a",
      offset: 100,
      errOffset: 7,
      mark: "{}",
      markOffset: 100,
    });
    expect(at.store.journal.list("prc_1").map(({ id, state, key }) => [id, state, key])).toEqual([
      ["f1", "written", undefined],
      ["f2", "pending", "k"],
    ]);
    expect(at.store.journal.list("prc_1", ["pending"]).length).toBe(1);
    expect(at.store.journal.nextOrdinal("prc_1")).toBe(3);
    expect(at.store.findMessage("ses_a", "msg_1")).toBe("h1");
    expect(at.store.sessions.get("ses_a")).toMatchObject({ request: "r", lastSeq: 2 });
    expect(at.store.sessions.env("ses_a")).toEqual({ TOKEN: "secret" });
    expect(at.store.sessions.env("ses_a")).toBe(at.store.sessions.env("ses_a"));
    at.store.commit({ session: "ses_a", events: [], request: { hash: "r", env: { TOKEN: "another" } } });
    expect(at.store.sessions.env("ses_a")).toEqual({ TOKEN: "another" });
    expect(JSON.stringify(at.store.readAll(0, 10))).not.toContain("secret");
  });

  it("changes nothing when any part of it fails", () => {
    const script = at.startSession();
    at.store.commit({
      session: "ses_a",
      events: script.add(inputRequest("inp_1"), textDone("word")),
      journal: { add: [frame("f1", 1)] },
    });
    at.store.commit({ session: "ses_a", events: [], messages: [{ id: "msg_1", hash: "h" }] });
    const before = at.readVisible("ses_a");
    const events = script.add(inputResolution("inp_1"), textDone("another word"), turnEnd(5));
    const spool = { process: "prc_1", offset: 10 };
    const parts = [
      { journal: { add: [frame("f1", 2)] } },
      { journal: { add: [frame("f2", 1)] } },
      { journal: { set: [{ id: "nothing", state: "acked" as const }] } },
      { messages: [{ id: "msg_1", hash: "h" }] },
    ];
    for (const part of parts) {
      expect(() => at.store.commit({ session: "ses_a", events, spool, ...part })).toThrow();
      expect(at.readVisible("ses_a")).toEqual(before);
    }
    at.store.commit({ session: "ses_a", events, spool });
    expect(at.store.findInput("inp_1")).toMatchObject({ state: "resolved", resolution: { decision: "allow" } });
  });

  it("that finds no space throws, changes nothing, and may be retried", () => {
    at.store.close();
    at.store = openStore(join(at.home, "small.db"), { maxPages: 120 });
    const script = at.startSession();
    let refused: Envelope[] | undefined;
    for (let i = 0; i < 200 && !refused; i++) {
      const events = script.add(textDone(`word ${"x".repeat(4000)}`));
      const before = at.readVisible("ses_a");
      try {
        at.store.commit({ session: "ses_a", events });
      } catch (error) {
        expect(error).toBeInstanceOf(StorageFullError);
        expect(at.readVisible("ses_a")).toEqual(before);
        refused = events;
      }
    }
    at.store.close();
    at.store = openStore(join(at.home, "small.db"));
    expect(at.store.commit({ session: "ses_a", events: refused! })[0]!.seq).toBe(at.store.lastSeq("ses_a"));
  });
});

describe("sessions", () => {
  it("are listed newest first, page by page, filtered by state, terms and archive", () => {
    for (let i = 1; i <= 7; i++) {
      const script = new Script(`ses_${i}`, `2026-11-0${i}`);
      const events = script.create({ title: i % 2 ? `Odd 100%_${i}` : `Even ${i}`, cwd: `/work/p${i}` });
      if (i === 4)
        events.push(...script.add(draft("turn.started", { trigger: "user", messages: [] }, { turn: "trn_1" })));
      if (i === 5) events.push(...script.add(draft("session.updated", { patch: { archived: true } })));
      at.store.commit({ session: script.session, events });
    }
    const ids = (query: Parameters<Store["sessions"]["list"]>[0]) =>
      at.store.sessions.list(query).sessions.map((row) => row.id);
    expect(ids({})).toEqual(["ses_7", "ses_6", "ses_4", "ses_3", "ses_2", "ses_1"]);
    expect(ids({ archived: true })).toEqual(["ses_5"]);
    expect(ids({ archived: "any" }).length).toBe(7);
    expect(ids({ state: "running" })).toEqual(["ses_4"]);
    expect(ids({ q: "odd p3" })).toEqual(["ses_3"]);
    expect(ids({ q: "100%_" })).toEqual(["ses_7", "ses_3", "ses_1"]);
    expect(ids({ q: "%" }).length).toBe(3);
    const first = at.store.sessions.list({ limit: 4 });
    expect(first.sessions.length).toBe(4);
    expect(at.store.sessions.list({ limit: 4, cursor: first.nextCursor })).toMatchObject({
      sessions: [{ id: "ses_2" }, { id: "ses_1" }],
      nextCursor: undefined,
    });
    expect(() => at.store.sessions.list({ cursor: "rubbish" })).toThrow("not a cursor of a session list");
  });

  it("that may be open are listed without those that are done, and counted on all pages", () => {
    const done = at.startSession("ses_done");
    at.store.commit({ session: "ses_done", events: done.add(turnEnd(1)) });
    const asks = at.startSession("ses_asks");
    at.store.commit({ session: "ses_asks", events: asks.add(inputRequest("inp_1", "ses_asks")) });
    const failed = at.startSession("ses_failed");
    at.store.commit({ session: "ses_failed", events: failed.add(draft("turn.ended", { outcome: "failed" })) });
    const open = at.store.sessions.list({ open: true }).sessions.map((row) => row.id);
    expect(open.toSorted()).toEqual(["ses_asks", "ses_failed"]);
    expect(at.store.sessions.count({})).toBe(3);
  });

  it("are hidden at once when marked, and leave nothing behind but their usage when deleted", () => {
    const script = at.startSession();
    const blob = "b".repeat(64);
    const spilled = draft("raw", { channel: "c", frame: { blob, size: 1, head: "", tail: "" } });
    at.store.commit({
      session: "ses_a",
      events: script.add(textDone("word"), inputRequest("inp_1"), turnEnd(1), spilled),
      spool: { process: "prc_1", offset: 1 },
      journal: { add: [frame("f1", 1)] },
      messages: [{ id: "msg_1", hash: "h" }],
    });
    const other = at.startSession("ses_b");
    at.store.commit({ session: "ses_b", events: other.add(textDone("word")) });
    at.store.sessions.markDeleted("ses_a");
    expect(at.store.sessions.get("ses_a")).toBeUndefined();
    expect([at.store.pendingInputs(), at.store.search("word", 9).length, at.store.sessions.listDeleted()]).toEqual([
      [],
      1,
      ["ses_a"],
    ]);
    expect(at.store.sessions.delete("ses_a")).toEqual({ blobs: [blob] });
    expect([at.store.findInput("inp_1"), at.store.findMessage("ses_a", "msg_1"), at.store.spools.get("prc_1")]).toEqual(
      [undefined, undefined, undefined],
    );
    expect([at.store.journal.list("prc_1"), at.store.sessions.listDeleted(), at.store.refersTo(blob)]).toEqual([
      [],
      [],
      false,
    ]);
    expect(at.store.usage([]).total.turns).toBe(1);
    expect(at.store.sessions.list().sessions.map((row) => row.id)).toEqual(["ses_b"]);
    expect(at.startSession("ses_a").seq).toBe(1);
  });

  it("give up only blobs that no other session refers to", () => {
    const shared = "c".repeat(64);
    const event = draft("raw", { channel: "c", frame: { blob: shared, size: 1, head: "", tail: "" } });
    for (const session of ["ses_a", "ses_b"]) {
      const script = at.startSession(session);
      at.store.commit({ session, events: script.add(event) });
    }
    expect(at.store.sessions.delete("ses_a")).toEqual({ blobs: [] });
    expect(at.store.refersTo(shared)).toBe(true);
    expect(at.store.sessions.delete("ses_b")).toEqual({ blobs: [shared] });
  });
});

describe("the file", () => {
  it("is for the owner alone, and keeps what is set", () => {
    expect(statSync(at.path).mode & 0o777).toBe(0o600);
    at.store.meta.set("port", "1");
    at.store.meta.set("port", "2");
    at.reopen();
    expect([at.store.meta.get("port"), at.store.meta.get("none")]).toEqual(["2", undefined]);
  });

  it("gives the end of a long log as fast as the end of a short one", () => {
    const short = at.startSession("ses_short");
    at.store.commit({
      session: "ses_short",
      events: short.add(...Array.from({ length: 300 }, () => draft("raw", { channel: "c", frame: 1 }))),
    });
    const long = at.startSession("ses_long");
    for (let i = 0; i < 100; i++) {
      const events = long.add(...Array.from({ length: 1000 }, () => draft("raw", { channel: "c", frame: 1 })));
      at.store.commit({ session: "ses_long", events, view: long.view });
    }
    const fastest = (session: string) =>
      Math.min(
        ...Array.from({ length: 15 }, () => {
          const before = performance.now();
          expect(at.store.tailEvents(session, 200).length).toBe(200);
          return performance.now() - before;
        }),
      );
    // A scan of the whole log would take 300 times as long.
    expect(fastest("ses_long") / fastest("ses_short")).toBeLessThan(30);
  });
});
