import { draft, type SendMessage, type Sent } from "@gantry/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { Script } from "../log/testing/events.ts";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import { FakeClock } from "../schedules/clock.fake.ts";
import type { Sender } from "../session/api.ts";
import { Family } from "./family.ts";
import { Wakes } from "./wakes.ts";

const home = new TemporaryStore();
let clock: FakeClock;
let wakes: Wakes;
let messages: { session: string; id: string; text: string; author: string }[];
let noted: string[];
/** The daemon dies before or after it stores the message. */
let dies: "before" | "after" | undefined;
const scripts = new Map<string, Script>();

beforeEach(() => {
  clock = new FakeClock("2026-11-16T09:00:00.000Z");
  messages = [];
  noted = [];
  dies = undefined;
  scripts.clear();
  begin("ses_root");
  wakes = daemon();
});

function daemon(): Wakes {
  const made = new Wakes({
    store: home.store,
    family: new Family(home.store),
    clock,
    send,
    note: (session, { text }) => noted.push(`${session}: ${text}`),
    log: () => {},
  });
  made.start();
  return made;
}

function send(session: string, body: SendMessage, sender?: Sender): Sent {
  const sent: Sent = { message: body.id ?? "", disposition: "started" };
  if (dies === "before") throw new Error("the daemon dies here");
  if (messages.some(({ id }) => id === body.id)) return sent;
  home.store.commit({ session, events: [], records: sender?.records?.(sent) ?? [] });
  messages.push({ session, id: body.id ?? "", text: body.text, author: sender?.author ?? "" });
  if (dies === "after") throw new Error("the daemon dies here");
  return sent;
}

function begin(id: string, parent?: string, wake = true): void {
  const script = new Script(id);
  scripts.set(id, script);
  const above = parent ? new Family(home.store).view(parent) : undefined;
  const depth = (above?.spawn?.depth ?? 0) + 1;
  const spawn = parent ? { parent, spawn: { root: "ses_root", depth, wake } } : {};
  const data = { agent: "fake", cwd: "/work", title: id, mode: "ask" as const, ...spawn };
  const record = { kind: "spawn", id, value: { session: id, parent, root: "ses_root" } };
  const records = parent ? [record] : [];
  home.store.commit({ session: id, events: script.add(draft("session.created", data)), records });
}

/** A part of a turn, or the whole. */
function works(id: string, turn: string, ...parts: ("start" | "end")[]): void {
  const script = scripts.get(id)!;
  const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
  const message = draft("message.done", { item: `itm_${turn}`, text: `text of ${turn}` }, { turn });
  const ended = draft("turn.ended", { outcome: "completed", cost: { usd: 0.25, source: "agent" } }, { turn });
  const wanted = parts.length === 0 ? ["start", "end"] : parts;
  const drafts = [...(wanted.includes("start") ? [started, message] : []), ...(wanted.includes("end") ? [ended] : [])];
  wakes.committed(id, home.store.commit({ session: id, events: script.add(...drafts) }));
}

const SOON = 400;
const authors = () => messages.map(({ session, author }) => `${session} ← ${author}`);

describe("the end of a session's work", () => {
  it("is reported once to the parent, with text and cost", async () => {
    begin("ses_c", "ses_root");
    works("ses_c", "trn_1");
    await clock.pass(SOON);
    expect(messages).toMatchObject([{ session: "ses_root", author: "session:ses_c" }]);
    expect(messages[0]?.text).toContain("text of trn_1");
    expect(messages[0]?.text).toContain("$0.2500");
    wakes = daemon();
    await clock.pass(SOON);
    expect(messages).toHaveLength(1);
    works("ses_c", "trn_2");
    await clock.pass(SOON);
    expect(messages).toHaveLength(2);
  });

  it.each(["before", "after"] as const)("is reported once when the daemon dies %s the report", async (moment) => {
    begin("ses_c", "ses_root");
    dies = moment;
    works("ses_c", "trn_1");
    await clock.pass(SOON);
    dies = undefined;
    home.reopen();
    wakes = daemon();
    await clock.pass(SOON);
    expect(authors()).toEqual(["ses_root ← session:ses_c"]);
  });

  it("waits while the parent is running, and is reported with the others", async () => {
    works("ses_root", "trn_r", "start");
    begin("ses_a", "ses_root");
    begin("ses_b", "ses_root");
    works("ses_a", "trn_a");
    await clock.pass(SOON);
    works("ses_b", "trn_b");
    await clock.pass(SOON);
    expect(messages).toEqual([]);
    works("ses_root", "trn_r", "end");
    await clock.pass(SOON);
    expect(authors()).toEqual(["ses_root ← session:ses_a,ses_b"]);
    expect(messages[0]?.text).toMatch(/text of trn_a[\s\S]*text of trn_b/);
  });

  it("is not reported while its own spawned sessions run", async () => {
    begin("ses_c", "ses_root");
    begin("ses_g", "ses_c");
    works("ses_g", "trn_g", "start");
    works("ses_c", "trn_c1");
    await clock.pass(SOON);
    expect(messages).toEqual([]);
    works("ses_g", "trn_g", "end");
    await clock.pass(SOON);
    expect(authors()).toEqual(["ses_c ← session:ses_g"]);
    works("ses_c", "trn_c2");
    await clock.pass(SOON);
    expect(authors()).toEqual(["ses_c ← session:ses_g", "ses_root ← session:ses_c"]);
    expect(messages[1]?.text).toContain("text of trn_c2");
  });

  it("is not reported if the parent opted out or is gone", async () => {
    begin("ses_quiet", "ses_root", false);
    works("ses_quiet", "trn_q");
    await clock.pass(SOON);
    expect([messages, noted]).toEqual([[], []]);
    begin("ses_c", "ses_root");
    home.store.sessions.delete("ses_root");
    wakes.removed("ses_root");
    works("ses_c", "trn_1");
    await clock.pass(SOON);
    wakes = daemon();
    await clock.pass(SOON);
    expect(messages).toEqual([]);
    expect(noted).toEqual([expect.stringMatching(/^ses_c: ses_root, which started this session, is deleted/)]);
  });
});
