import { EnvelopeSchema, type FailureCategory, InputRequest, type TurnOutcome } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Frame, Output } from "../contract.ts";
import { decode } from "./decode/decode.ts";
import { initialState, type State } from "./decode/state.ts";
import { data, framesOf, launchOptions, outputsOfKind, play, recordings } from "./recordings.fake.ts";

type End = TurnOutcome | FailureCategory;

/** The expected end of each turn, by recording. A recording that is not listed has one completed turn. */
const ends: Record<string, End[]> = {
  "2.1.325/ctl_badjson": ["protocol"],
  "2.1.325/ctl_compact": ["completed", "completed", "completed", "completed"],
  "2.1.325/ctl_initialize": [],
  "2.1.325/ctl_interrupt_stream": ["interrupted", "completed"],
  "2.1.325/ctl_interrupt_stream_last": ["interrupted"],
  "2.1.325/ctl_modes": ["completed", "completed", "completed"],
  "2.1.325/ctl_write_always": ["completed", "completed"],
  "2.1.325/ctl_write_deny_interrupt": ["interrupted"],
  "2.1.325/err403": ["auth"],
  "2.1.325/err404": ["model_unavailable"],
  "2.1.325/err429": ["rate_limit"],
  "2.1.325/err500": ["overloaded"],
  "2.1.325/err500_defaultretries": ["overloaded"],
  "2.1.325/err529": ["overloaded"],
  "2.1.325/maxtok": ["context_overflow"],
  "2.1.325/nokey": ["auth"],
  "2.1.325/nokey_plain": ["auth"],
  "2.1.325/refuse": ["refused"],
  "2.1.325/resume_5_missing": ["unknown"],
  "2.1.325/sigint_slow": ["interrupted"],
  "2.1.325/sigterm_slow": ["crashed"],
  "2.1.325/unreachable": ["network"],
  "2.1.325/overflow": ["context_overflow"],
  "2.1.197/ctl_initialize": [],
  "2.1.197/ctl_interrupt_stream": ["interrupted", "completed"],
  "2.1.197/err429": ["rate_limit"],
  "2.1.197/nokey": ["auth"],
  "2.1.197/overflow": ["context_overflow"],
  "2.1.197/resume_5_missing": ["unknown"],
  "2.1.197/resume_7_reuse_sessionid": ["crashed"],
  ...both("bashbg", ["completed", "completed"]),
  ...both("background_agent", ["completed", "completed"]),
  "2.1.325/background_agent_stop": ["completed", "completed"],
  ...both("credit", ["billing"]),
  // The second turn belongs to a repeated message and is empty.
  ...both("dup", ["completed", "completed", "completed"]),
  ...both("err401", ["auth"]),
  ...both("interrupt_ask", ["interrupted"]),
  ...both("interrupt_tool", ["interrupted", "completed"]),
  ...both("maxturns", ["cancelled"]),
  ...both("queue2", ["completed", "completed"]),
  ...both("queue_interrupt", ["interrupted", "completed"]),
  ...both("quota", ["billing"]),
  ...both("resume_missing_init", []),
  ...both("sid_reuse", []),
  // Replayed without the resume flag, the older version's silence after a repeated message looks like a crash.
  "2.1.197/resume_dup": ["crashed"],
};

function both(scenario: string, ended: End[]): Record<string, End[]> {
  return { [`2.1.325/${scenario}`]: ended, [`2.1.197/${scenario}`]: ended };
}

describe.each(recordings)("%s", (name) => {
  const frames = framesOf(name);
  const { outputs } = play(frames);

  it("ends with the expected outcomes", () => {
    const ended = outputsOfKind(outputs, "finish").map(({ outcome, error }) => error?.category ?? outcome);
    expect(ended).toEqual(ends[name] ?? ["completed"]);
  });

  it("has no overlapping turns", () => {
    const bounds = outputs.map(({ kind }) => kind).filter((kind) => kind === "begin" || kind === "finish");
    expect(bounds.every((kind, index) => kind === (index % 2 === 0 ? "begin" : "finish"))).toBe(true);
    expect(bounds.length % 2).toBe(0);
  });

  it("contains no unexpected raw events", () => {
    expect(data(outputs, "raw")).toEqual([]);
  });

  it("streams exactly the final text", () => expectWholeTexts(outputs));

  it("asks every question once and starts every tool before its end", () => {
    const keys = outputsOfKind(outputs, "ask").map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    const started = new Set<unknown>();
    for (const output of outputsOfKind(outputs, "event")) {
      const { type, data } = output.event;
      if (type === "tool.started") started.add(data.item);
      if (type === "tool.ended") expect(started).toContain(data.item);
    }
  });

  it("publishes events that match their schemas", () => {
    for (const output of outputs) expectValid(output);
  });

  it("decodes identically from a stored state, which stays small", () => {
    let largest = 0;
    const stored = play(frames, {
      between: (state) => {
        const written = JSON.stringify(state);
        largest = Math.max(largest, written.length);
        return JSON.parse(written) as State;
      },
    });
    expect(stored.outputs).toEqual(outputs);
    expect(largest).toBeLessThan(4_000);
  });
});

it("lists only recordings that exist", () => {
  expect(Object.keys(ends).filter((name) => !recordings.includes(name))).toEqual([]);
});

it("does not change the state that it gets", () => {
  for (const name of recordings) {
    let state = initialState(launchOptions);
    for (const frame of framesOf(name)) {
      const before = JSON.stringify(state);
      const [next] = decode(state, frame);
      expect(JSON.stringify(state)).toBe(before);
      state = next;
    }
  }
});

const scrambled = fc
  .record({
    name: fc.constantFrom(...recordings),
    edits: fc.array(fc.record({ how: fc.constantFrom("drop", "repeat", "swap", "cut"), at: fc.nat(), by: fc.nat() }), {
      maxLength: 12,
    }),
  })
  .map(({ name, edits }) => edits.reduce(editFrames, framesOf(name)));

function editFrames(frames: Frame[], { how, at, by }: { how: string; at: number; by: number }): Frame[] {
  const index = at % frames.length;
  const frame = frames[index];
  if (frame === undefined || frames.length < 2) return frames;
  if (how === "drop") return frames.toSpliced(index, 1);
  if (how === "repeat") return frames.toSpliced(by % frames.length, 0, frame);
  if (how === "cut") return frames.slice(0, Math.max(1, index));
  return frames.with(index, frames[by % frames.length] ?? frame).with(by % frames.length, frame);
}

it("loses no text in any order of frames, with a bounded state", () => {
  const property = fc.property(scrambled, (frames) => {
    const { outputs, state } = play(frames);
    expectWholeTexts(outputs);
    expect(JSON.stringify(state).length).toBeLessThan(20_000);
  });
  fc.assert(property, { numRuns: 300 });
});

/** Each final text equals the text streamed for its item. Items that a turn leaves open end with the turn. */
function expectWholeTexts(outputs: Output[]): void {
  const streamed = new Map<string, string>();
  for (const output of outputs) {
    if (output.kind === "delta" && output.channel !== "input") {
      streamed.set(output.item, (streamed.get(output.item) ?? "") + output.text);
    }
    if (output.kind === "finish") streamed.clear();
    if (output.kind !== "event") continue;
    const { type, data } = output.event;
    if (type === "message.retracted") for (const item of data.items) streamed.delete(item);
    if (type !== "message.done" && type !== "reasoning.done") continue;
    expect(streamed.get(data.item) ?? "").toBe(data.text);
    streamed.delete(data.item);
  }
}

function expectValid(output: Output): void {
  if (output.kind === "event") {
    const envelope = { v: 1, session: "ses_1", seq: 1, at: "1970-01-01T00:00:00.000Z", ...output.event };
    const checked = EnvelopeSchema.safeParse(envelope);
    expect(checked.error?.issues ?? []).toEqual([]);
  }
  if (output.kind === "ask") {
    const checked = InputRequest.safeParse({ id: "inp_1", session: "ses_1", ...output.request });
    expect(checked.error?.issues ?? []).toEqual([]);
  }
}
