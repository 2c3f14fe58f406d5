import type { Frame } from "@gantry/client";
import { draft, type Envelope, type EventType, type LiveFrame } from "@gantry/protocol";
import { describe, expect, test } from "vitest";
import { findBreaches, findStreamBreaches, findUnbilledTurns } from "./laws.ts";

const session = "ses_1";
const turn = "trn_1";

function log(...drafts: ReturnType<typeof draft<EventType>>[]): Envelope[] {
  return drafts.map(
    (event, index) => ({ v: 1, session, seq: index + 1, at: new Date(index).toISOString(), ...event }) as Envelope,
  );
}

const started = draft("turn.started", { trigger: "user", messages: [] }, { turn });
const turnEnd = (usage = { input: 5, output: 1 }) => draft("turn.ended", { outcome: "completed", usage }, { turn });
const reply = (text: string) => draft("message.done", { item: "itm_1", text }, { turn });
const tool = draft("tool.started", { item: "itm_2", name: "Write", kind: "edit", title: "Write" }, { turn });
const piece = (offset: number, text: string): Frame => ({
  live: { type: "delta", session, item: "itm_1", channel: "text", offset, text } satisfies LiveFrame,
});
const framesOf = (events: Envelope[]): Frame[] => events.map((event) => ({ event }));

describe("a log", () => {
  test("passes if it keeps the laws", () => {
    expect(findBreaches(log(started, reply("hello"), turnEnd()))).toEqual([]);
  });

  test("fails if a sequence number is missing", () => {
    const events = log(started, reply("hello"), turnEnd());
    expect(findBreaches(events.filter(({ seq }) => seq !== 2))).toContainEqual(expect.stringContaining("seq 3"));
  });

  test("fails for a start without an end, an end without a start, and two ends", () => {
    expect(findBreaches(log(started))).toEqual([expect.stringContaining("turn.started of trn_1 was never ended")]);
    expect(findBreaches(log(turnEnd()))).toEqual([expect.stringContaining("has no counterpart")]);
    expect(findBreaches(log(started, turnEnd(), turnEnd()))).toEqual([expect.stringContaining("has no counterpart")]);
    expect(findBreaches(log(started, tool, turnEnd()))).toEqual([expect.stringContaining("tool.started of itm_2")]);
  });

  test("fails for a frame that no decoder knew and for data that does not match its schema", () => {
    const raw = draft("raw", { channel: "test", frame: { a: 1 }, reason: "strange" });
    expect(findBreaches(log(raw))).toEqual([expect.stringContaining("raw (strange)")]);
    const odd = { ...reply("hello"), data: { item: "itm_1", text: 7 } } as unknown as typeof raw;
    expect(findBreaches(log(odd))).toEqual([expect.stringContaining("does not match its schema")]);
  });

  test("fails for a completed turn without usage", () => {
    expect(findUnbilledTurns(log(started, turnEnd()))).toEqual([]);
    expect(findUnbilledTurns(log(started, turnEnd({ input: 0, output: 0 })))).toHaveLength(1);
  });
});

describe("a stream", () => {
  const events = log(started, reply("hello"), turnEnd());
  const [first, ...rest] = framesOf(events) as [Frame, ...Frame[]];

  test("passes if its deltas add up to the text", () => {
    expect(findStreamBreaches([first, piece(0, "hel"), piece(3, "lo"), ...rest], events)).toEqual([]);
  });

  test("fails if its deltas do not add up to the text", () => {
    expect(findStreamBreaches([first, piece(0, "hel"), ...rest], events)).toHaveLength(1);
    expect(findStreamBreaches([first, piece(0, "hel"), piece(4, "lo"), ...rest], events)).toHaveLength(1);
  });

  test("passes if it was cut and resumed with a snapshot", () => {
    const open = [{ item: "itm_1", channel: "text" as const, text: "hell", length: 4 }];
    const snapshot: Frame = { snapshot: { type: "snapshot", session, lastSeq: 1, open } };
    expect(findStreamBreaches([first, piece(0, "hel"), snapshot, piece(4, "o"), ...rest], events)).toEqual([]);
  });

  test("passes if the message ended between the cut and the snapshot", () => {
    const snapshot: Frame = { snapshot: { type: "snapshot", session, lastSeq: 3, open: [] } };
    expect(findStreamBreaches([first, piece(0, "hel"), ...rest, snapshot], events)).toEqual([]);
    expect(findStreamBreaches([first, piece(0, "hem"), ...rest, snapshot], events)).toHaveLength(1);
  });

  test("fails if its events differ from the log", () => {
    expect(findStreamBreaches([first], events)).toEqual([expect.stringContaining("differ from the log's 3")]);
  });
});
