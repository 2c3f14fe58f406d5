import type { Frame } from "@gantry/client";
import { draft, type Envelope, type EventType, type LiveFrame } from "@gantry/protocol";
import { describe, expect, test } from "vitest";
import { breaches, streamBreaches, unbilledTurns } from "./laws.ts";

const session = "ses_1";
const turn = "trn_1";

function log(...drafts: ReturnType<typeof draft<EventType>>[]): Envelope[] {
  return drafts.map(
    (event, index) => ({ v: 1, session, seq: index + 1, at: new Date(index).toISOString(), ...event }) as Envelope,
  );
}

const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
const ended = (usage = { input: 5, output: 1 }) => draft("turn.ended", { outcome: "completed", usage }, { turn });
const said = (text: string) => draft("message.done", { item: "itm_1", text }, { turn });
const tool = draft("tool.started", { item: "itm_2", name: "Write", kind: "edit", title: "Write" }, { turn });
const piece = (offset: number, text: string): Frame => ({
  live: { type: "delta", session, item: "itm_1", channel: "text", offset, text } satisfies LiveFrame,
});
const framesOf = (events: Envelope[]): Frame[] => events.map((event) => ({ event }));

describe("a log", () => {
  test("that keeps the laws", () => {
    expect(breaches(log(started, said("hello"), ended()))).toEqual([]);
  });

  test("with a gap", () => {
    const events = log(started, said("hello"), ended());
    expect(breaches(events.filter(({ seq }) => seq !== 2))).toContainEqual(expect.stringContaining("seq 3"));
  });

  test("with a start that has no end, an end that has no start, and two ends", () => {
    expect(breaches(log(started))).toEqual([expect.stringContaining("turn.started of trn_1 was never ended")]);
    expect(breaches(log(ended()))).toEqual([expect.stringContaining("has no counterpart")]);
    expect(breaches(log(started, ended(), ended()))).toEqual([expect.stringContaining("has no counterpart")]);
    expect(breaches(log(started, tool, ended()))).toEqual([expect.stringContaining("tool.started of itm_2")]);
  });

  test("with what no decoder knew, and with data that does not fit", () => {
    const raw = draft("raw", { channel: "test", frame: { a: 1 }, reason: "strange" });
    expect(breaches(log(raw))).toEqual([expect.stringContaining("raw (strange)")]);
    const odd = { ...said("hello"), data: { item: "itm_1", text: 7 } } as unknown as typeof raw;
    expect(breaches(log(odd))).toEqual([expect.stringContaining("does not fit its schema")]);
  });

  test("with a completed turn that names no tokens", () => {
    expect(unbilledTurns(log(started, ended()))).toEqual([]);
    expect(unbilledTurns(log(started, ended({ input: 0, output: 0 })))).toHaveLength(1);
  });
});

describe("a stream", () => {
  const events = log(started, said("hello"), ended());
  const [first, ...rest] = framesOf(events) as [Frame, ...Frame[]];

  test("whose pieces add up", () => {
    expect(streamBreaches([first, piece(0, "hel"), piece(3, "lo"), ...rest], events)).toEqual([]);
  });

  test("whose pieces do not", () => {
    expect(streamBreaches([first, piece(0, "hel"), ...rest], events)).toHaveLength(1);
    expect(streamBreaches([first, piece(0, "hel"), piece(4, "lo"), ...rest], events)).toHaveLength(1);
  });

  test("that was cut and taken up again by a snapshot", () => {
    const open = [{ item: "itm_1", channel: "text" as const, text: "hell", length: 4 }];
    const snapshot: Frame = { snapshot: { type: "snapshot", session, lastSeq: 1, open } };
    expect(streamBreaches([first, piece(0, "hel"), snapshot, piece(4, "o"), ...rest], events)).toEqual([]);
  });

  test("that was cut, and whose message was over before it was taken up again", () => {
    const snapshot: Frame = { snapshot: { type: "snapshot", session, lastSeq: 3, open: [] } };
    expect(streamBreaches([first, piece(0, "hel"), ...rest, snapshot], events)).toEqual([]);
    expect(streamBreaches([first, piece(0, "hem"), ...rest, snapshot], events)).toHaveLength(1);
  });

  test("that is not the log", () => {
    expect(streamBreaches([first], events)).toEqual([expect.stringContaining("not the log's 3")]);
  });
});
