import { draft, GantryError, type SendMessage, type Sent } from "@gantry/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { Config } from "../config.ts";
import { Script } from "../log/testing/events.ts";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import type { Sender } from "../session/api.ts";
import { FakeClock, settlePromises } from "./clock.fake.ts";
import { Schedules } from "./schedules.ts";

const home = new TemporaryStore();
const START = "2026-11-16T09:00:00.000Z";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Message = SendMessage & { session: string; author: string; notice?: string };
let clock: FakeClock;
let messages: Message[];
let begun: string[];
let noted: string[];
/** Thrown in place of sending. */
let obstacle: GantryError | undefined;
let dying = false;
let config: Config;
let scripts: Record<"ses_a" | "ses_b", Script>;

beforeEach(() => {
  clock = new FakeClock(START);
  messages = [];
  begun = [];
  noted = [];
  obstacle = undefined;
  config = Config.parse({});
  scripts = { ses_a: home.startSession("ses_a"), ses_b: home.startSession("ses_b") };
});

/** What a daemon's sessions do with a message: once for an id, with the records in the same transaction. */
function send(session: string, body: SendMessage, sender: Sender): Sent {
  if (obstacle) throw obstacle;
  if (dying) throw new Error("the daemon dies here");
  const sent: Sent = { message: body.id ?? "", disposition: "started" };
  if (messages.some(({ id }) => id === body.id)) return sent;
  home.store.commit({ session, events: [], records: sender.records?.(sent) ?? [] });
  messages.push({ ...body, session, author: sender.author, ...(sender.notice ? { notice: sender.notice.text } : {}) });
  return sent;
}

function daemon(): Schedules {
  let made = 0;
  const schedules = new Schedules({
    store: home.store,
    config,
    clock,
    id: () => `sch_${++made}`,
    log: () => {},
    send,
    create: async ({ id = "" }) => {
      if (obstacle) throw obstacle;
      begun.push(id);
      if (!home.store.sessions.get(id)) home.store.commit({ session: id, events: new Script(id).create() });
    },
    note: (_, { text }) => noted.push(text),
    check: () => {},
  });
  schedules.start();
  return schedules;
}

const texts = () => messages.map(({ text }) => text);
const later = (ms: number) => new Date(Date.parse(START) + ms).toISOString();
const end = (session: "ses_a" | "ses_b", outcome: "completed" | "failed" | "interrupted", turn: string) =>
  home.store.commit({
    session,
    events: scripts[session].add(
      draft("turn.started", { trigger: "user", messages: [] }, { turn }),
      draft("turn.ended", { outcome }, { turn }),
    ),
  });

describe("once, at a time", () => {
  it("is sent at its time and has then run", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_once", session: "ses_a", text: "hello", at: later(3 * HOUR) });
    await clock.pass(3 * HOUR - 1);
    expect(messages).toEqual([]);
    await clock.pass(1);
    expect(messages).toMatchObject([{ session: "ses_a", text: "hello", author: "schedule:sch_once" }]);
    expect(messages[0]).not.toHaveProperty("notice");
    expect(schedules.get("sch_once")).toMatchObject({ enabled: false, reason: "It has run.", runs: 1, misses: 0 });
    expect(schedules.get("sch_once").lastRun).toMatchObject({ outcome: "started", due: later(3 * HOUR) });
    expect(clock.waiting).toBe(0);
  });

  it("far away does not overflow a timer, and a clock that is set is noticed", async () => {
    const schedules = daemon();
    schedules.add({ session: "ses_a", text: "next year", at: later(400 * 24 * HOUR) });
    await clock.pass(10 * MINUTE);
    expect(messages).toEqual([]);
    clock.jump(400 * 24 * HOUR);
    await clock.pass(MINUTE);
    expect(texts()).toEqual(["next year"]);
  });

  it("is not sent early or twice when the clock goes back", async () => {
    const schedules = daemon();
    schedules.add({ session: "ses_a", text: "hello", at: later(2 * HOUR) });
    clock.jump(-HOUR);
    await clock.pass(2 * HOUR);
    expect(messages).toEqual([]);
    await clock.pass(HOUR);
    clock.jump(-3 * HOUR);
    await clock.pass(5 * HOUR);
    expect(texts()).toEqual(["hello"]);
  });

  it("that was missed is sent immediately with its delay", async () => {
    const first = daemon();
    first.add({ id: "sch_late", session: "ses_a", text: "hello", at: later(HOUR) });
    await first.stop();
    home.reopen();
    clock.jump(4 * HOUR);
    const second = daemon();
    await settlePromises();
    expect(messages).toMatchObject([{ text: "hello", notice: `sch_late was due at ${later(HOUR)}, 3 h ago.` }]);
    expect(second.get("sch_late").runs).toBe(1);
  });

  it("that was missed is skipped if the settings require it", async () => {
    config.schedules.catchUp = "skip";
    const first = daemon();
    first.add({ id: "sch_late", session: "ses_a", text: "hello", at: later(HOUR) });
    await first.stop();
    clock.jump(4 * HOUR);
    const second = daemon();
    await settlePromises();
    expect(messages).toEqual([]);
    expect(second.get("sch_late")).toMatchObject({
      enabled: false,
      misses: 1,
      reason: expect.stringContaining("passed"),
    });
  });

  it("in the past is refused, and nothing is stored", () => {
    const schedules = daemon();
    expect(() => schedules.add({ session: "ses_a", text: "x", at: later(-HOUR) })).toThrow("lies in the past");
    expect(schedules.list()).toEqual([]);
  });
});

describe("every so often", () => {
  it("keeps its interval, with a separate id for each run", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_beat", session: "ses_a", text: "beat", every: 600 });
    await clock.pass(35 * MINUTE);
    expect(texts()).toEqual(["beat", "beat", "beat"]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
    expect(schedules.get("sch_beat")).toMatchObject({ runs: 3, misses: 0, nextAt: later(40 * MINUTE) });
  });

  it("goes by a cron expression", async () => {
    const schedules = daemon();
    const { schedule } = schedules.add({ session: "ses_a", text: "noon", every: "*/15 * * * *" });
    expect(schedule.nextAt).toBe(later(15 * MINUTE));
    await clock.pass(45 * MINUTE);
    expect(texts()).toEqual(["noon", "noon", "noon"]);
    expect(() => schedules.add({ session: "ses_a", text: "x", every: "often" })).toThrow("no cron expression");
  });

  it("runs once for all times that were missed, and keeps its rhythm", async () => {
    const first = daemon();
    first.add({ id: "sch_beat", session: "ses_a", text: "beat", every: 3600 });
    await first.stop();
    clock.jump(5.5 * HOUR);
    const second = daemon();
    await settlePromises();
    expect(texts()).toEqual(["beat"]);
    expect(second.get("sch_beat")).toMatchObject({ runs: 1, misses: 4, nextAt: later(6 * HOUR) });
    await clock.pass(30 * MINUTE);
    expect(texts()).toEqual(["beat", "beat"]);
  });
});

describe("after another session", () => {
  it("is sent when that one rests with the wanted outcome, and only then", async () => {
    end("ses_b", "completed", "trn_before");
    const schedules = daemon();
    schedules.add({
      id: "sch_then",
      session: "ses_a",
      text: "now you",
      after: { session: "ses_b", outcome: "completed" },
    });
    await settlePromises();
    schedules.committed("ses_b", end("ses_b", "failed", "trn_1"));
    schedules.committed("ses_a", end("ses_a", "completed", "trn_x"));
    await settlePromises();
    expect(messages).toEqual([]);
    schedules.committed("ses_b", end("ses_b", "completed", "trn_2"));
    await settlePromises();
    schedules.committed("ses_b", end("ses_b", "completed", "trn_3"));
    await settlePromises();
    expect(texts()).toEqual(["now you"]);
    expect(schedules.get("sch_then")).toMatchObject({ enabled: false, runs: 1 });
  });

  it("is sent by the next daemon when this one dies in between", async () => {
    const first = daemon();
    first.add({ session: "ses_a", text: "now you", after: { session: "ses_b", outcome: "any" } });
    end("ses_b", "interrupted", "trn_1");
    await first.stop();
    home.reopen();
    daemon();
    await settlePromises();
    expect(texts()).toEqual(["now you"]);
  });

  it("that is removed: disabled, with the reason", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_then", session: "ses_a", text: "x", after: { session: "ses_b", outcome: "any" } });
    home.store.sessions.delete("ses_b");
    schedules.removed("ses_b");
    expect(schedules.get("sch_then")).toMatchObject({ enabled: false, reason: expect.stringContaining("ses_b") });
    expect(() => schedules.add({ session: "ses_a", text: "x", after: { session: "ses_b", outcome: "any" } })).toThrow(
      expect.objectContaining({ code: "no_such_session" }),
    );
  });
});

describe("what is in the way", () => {
  const full = new GantryError("queue_full", "The queue of ses_a holds 10 messages already.");

  it("that is temporary is retried until it succeeds, with one notice", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_a", session: "ses_a", text: "hello", at: later(HOUR) });
    obstacle = full;
    await clock.pass(HOUR + 10 * MINUTE);
    expect(schedules.get("sch_a")).toMatchObject({
      enabled: true,
      lastRun: { outcome: "waiting", error: full.message },
    });
    expect(noted).toHaveLength(1);
    obstacle = undefined;
    await clock.pass(HOUR);
    expect(texts()).toEqual(["hello"]);
    expect(schedules.get("sch_a")).toMatchObject({ enabled: false, runs: 1, misses: 0 });
  });

  it("that is a full queue ends when a message leaves the queue, also after the turn has ended", async () => {
    const schedules = daemon();
    config.queueLimit = 1;
    schedules.add({ id: "sch_a", session: "ses_a", text: "hello", at: later(HOUR) });
    obstacle = full;
    await clock.pass(HOUR);
    const rows = end("ses_a", "interrupted", "trn_a");
    schedules.committed("ses_a", rows);
    await settlePromises();
    obstacle = undefined;
    const delivery = rows.map((row) => ({ ...row, type: "message.delivery" as const }));
    schedules.committed("ses_b", delivery);
    await settlePromises();
    expect(texts()).toEqual([]);
    schedules.committed("ses_a", delivery);
    await settlePromises();
    expect(texts()).toEqual(["hello"]);
  });

  it("that is permanent disables a one-time schedule, and a recurring one continues", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_once", session: "ses_a", text: "x", at: later(HOUR) });
    schedules.add({ id: "sch_beat", session: "ses_a", text: "x", every: 3600 });
    obstacle = new GantryError("unsupported", "It cannot be.");
    await clock.pass(HOUR);
    expect(schedules.get("sch_once")).toMatchObject({ enabled: false, reason: "It could not be sent: It cannot be." });
    expect(schedules.get("sch_beat")).toMatchObject({ enabled: true, runs: 0, misses: 1, nextAt: later(2 * HOUR) });
  });

  it("of a deleted or archived session disables the schedule", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_a", session: "ses_a", text: "x", every: 3600 });
    schedules.add({ id: "sch_b", session: "ses_b", text: "x", every: 3600 });
    home.store.sessions.delete("ses_a");
    schedules.removed("ses_a");
    expect(schedules.get("sch_a")).toMatchObject({ enabled: false, reason: "ses_a is gone." });
    const archived = draft("session.updated", { patch: { archived: true } });
    home.store.commit({ session: "ses_b", events: scripts.ses_b.add(archived) });
    await clock.pass(HOUR);
    expect(schedules.get("sch_b")).toMatchObject({ enabled: false, reason: "ses_b is archived." });
    expect(schedules.get("sch_b")).not.toHaveProperty("nextAt");
    expect(messages).toEqual([]);
  });
});

describe("a crash", () => {
  it("after the message and before anything else: it is not sent again", async () => {
    const first = daemon();
    first.add({ id: "sch_a", session: "ses_a", text: "hello", at: later(HOUR) });
    await clock.pass(HOUR);
    await first.stop();
    // The message was stored by a daemon that had no records in its transaction.
    const stored = home.store.records<object>("schedule").get("sch_a");
    home.store
      .records("schedule")
      .put("sch_a", { ...stored, enabled: true, nextAt: later(HOUR), runs: 0, reason: undefined });
    const second = daemon();
    await settlePromises();
    expect(texts()).toEqual(["hello"]);
    expect(second.get("sch_a")).toMatchObject({ enabled: false, runs: 1 });
  });

  it("after a session was begun and before its message: the same session gets it", async () => {
    const first = daemon();
    first.add({ id: "sch_a", create: { agent: "scripted", cwd: "/tmp" }, text: "hello", every: 3600 });
    dying = true;
    await clock.pass(HOUR);
    const left = home.store.records("schedule").get("sch_a");
    await first.stop();
    home.store.records("schedule").put("sch_a", { ...(left as object), nextAt: later(HOUR), misses: 0 });
    dying = false;
    expect([begun.length, messages]).toEqual([1, []]);
    daemon();
    await settlePromises();
    expect(texts()).toEqual(["hello"]);
    expect(begun).toEqual([messages[0]?.session, messages[0]?.session]);
  });
});

describe("a person", () => {
  it("makes the same one twice and gets one; another under its name is refused", () => {
    const schedules = daemon();
    const body = { id: "sch_a", session: "ses_a", text: "hello", every: 60 };
    expect(schedules.add(body).created).toBe(true);
    expect(schedules.add(body)).toMatchObject({ created: false, schedule: { id: "sch_a" } });
    expect(() => schedules.add({ ...body, text: "other" })).toThrow(expect.objectContaining({ code: "conflict" }));
    expect(schedules.list()).toHaveLength(1);
    expect(schedules.get("sch_a")).not.toHaveProperty("request");
  });

  it("pauses and resumes a schedule", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_a", session: "ses_a", text: "beat", every: 3600 });
    expect(schedules.change("sch_a", { enabled: false })).toMatchObject({ enabled: false });
    expect(schedules.get("sch_a")).not.toHaveProperty("nextAt");
    await clock.pass(5 * HOUR);
    expect(messages).toEqual([]);
    expect(schedules.change("sch_a", { enabled: true })).toMatchObject({ nextAt: later(6 * HOUR), misses: 0 });
    expect(schedules.change("sch_a", { at: later(8 * HOUR), text: "once" })).not.toHaveProperty("every");
    await clock.pass(3 * HOUR);
    expect(texts()).toEqual(["once"]);
    expect(() => schedules.change("sch_a", { enabled: true })).toThrow("has run");
  });

  it("runs one now, on top of its times", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_a", session: "ses_a", text: "beat", every: 3600 });
    await clock.pass(10 * MINUTE);
    expect(await schedules.run("sch_a")).toMatchObject({ runs: 1, nextAt: later(HOUR), enabled: true });
    await clock.pass(50 * MINUTE);
    expect(texts()).toEqual(["beat", "beat"]);
    obstacle = new GantryError("queue_full", "Full.");
    await expect(schedules.run("sch_a")).rejects.toMatchObject({ code: "queue_full" });
    await expect(schedules.run("sch_none")).rejects.toMatchObject({ code: "no_such_schedule" });
  });

  it("removes one, and nothing comes of it any more", async () => {
    const schedules = daemon();
    schedules.add({ id: "sch_a", session: "ses_a", text: "beat", every: 3600 });
    schedules.delete("sch_a");
    await clock.pass(2 * HOUR);
    expect([messages, clock.waiting]).toEqual([[], 0]);
  });
});
