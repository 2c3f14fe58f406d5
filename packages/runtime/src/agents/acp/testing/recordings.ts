import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, EnvelopeSchema } from "@gantry/protocol";
import { describe, expect, test } from "vitest";
import { decodeRecording, type RecordingEntry, recognise, toFrame } from "../../../recording/recording.ts";
import { faults } from "../../../session/engine/testing/engine.fake.ts";
import type { Agent, Channel, Frame, LaunchOptions, Output } from "../../contract.ts";

export const launch: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "inherit",
  uuid: "00000000-0000-4000-8000-000000000000",
  dir: "/tmp/process",
};

type Meta = { exitCode?: number | null; signal?: string | null };
export type Recording = { name: string; lines: string[]; meta: Meta };

/** For tests: the recordings in an agent's `fixtures` folder that match, each with the exit of its process. */
export function recordingsIn(folder: string, fitting = /./): Recording[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const names = files.filter((name) => name.endsWith(".jsonl") && fitting.test(name));
  const stems = names.map((name) => name.slice(0, -".jsonl".length)).sort();
  return stems.map((name) => {
    const meta = JSON.parse(readFileSync(join(folder, `${name}.meta.json`), "utf8")) as Meta;
    return { name, lines: readFileSync(join(folder, `${name}.jsonl`), "utf8").split("\n"), meta };
  });
}

export function framesOf({ lines, meta }: Recording): Frame[] {
  const frames = lines.map(toFrame).filter((frame) => frame !== undefined);
  return [...frames, { dir: "end", code: meta.exitCode ?? null, signal: meta.signal ?? null }];
}

/** Decodes frames; `between` may replace the state after each. */
export function play(
  channel: Channel<never>,
  frames: readonly Frame[],
  between: (state: unknown) => unknown = (state) => state,
): Output[] {
  const decoder = channel as unknown as Channel<unknown>;
  let state = decoder.initial(launch);
  return frames.flatMap((frame) => {
    const [next, outputs] = decoder.decode(state, frame);
    state = between(next);
    return outputs;
  });
}

/**
 * Tests that hold for every recording of an agent, and the expected end of each turn: `endings` is derived from the
 * recordings. No frame may be left raw.
 */
export function describeRecordings(agent: Agent, folder: string, endings: Record<string, string[]>): void {
  const recordings = recordingsIn(folder);
  const channel = agent.channels.find(({ name }) => name === "acp") as Channel<never>;

  test("lists every recording", () => {
    expect(Object.keys(endings).sort()).toEqual(recordings.map(({ name }) => name));
  });

  describe.each(recordings)("$name", (recording) => {
    const { name, lines, meta } = recording;
    const log = [...decodeRecording(agent, channel, lines, meta)];
    const events = log.filter((entry): entry is Envelope => !("live" in entry));
    const frames = framesOf(recording);

    test("ends with the expected outcomes", () => {
      expect(turnEnds(events)).toEqual(endings[name]);
    });

    test("has one end per start, deltas that add up, and no raw or unknown events", () => {
      expect(faults(events)).toEqual({ broken: [], open: [] });
      expect(findUnevenItems(log)).toEqual([]);
      expect(events.filter(({ type }) => type === "raw").map(({ data }) => data)).toEqual([]);
      for (const event of events) expect(EnvelopeSchema.safeParse(event).error?.message).toBeUndefined();
    });

    test("is recognised from both sides and from the agent's alone", () => {
      expect(recognise(agent, lines.slice(0, 50))).toBe(channel);
      const out = frames.flatMap((frame) => (frame.dir === "out" && "msg" in frame ? [frame.msg] : []));
      expect(channel.recognises(out)).toBe(true);
    });

    test("decodes identically from a state that is serialised after every frame", () => {
      const outputs = play(channel, frames);
      expect(play(channel, frames)).toEqual(outputs);
      const stored = play(channel, frames, (state) => {
        const text = JSON.stringify(state);
        expect(text.length).toBeLessThan(6000);
        // A clone, because tables in the state have no prototype.
        expect(JSON.parse(text)).toStrictEqual(structuredClone(state));
        return JSON.parse(text);
      });
      expect(stored).toEqual(outputs);
    });
  });
}

export function turnEnds(events: readonly Envelope[]): string[] {
  return events
    .filter((event) => event.type === "turn.ended")
    .map(({ data }) => (data.error ? `${data.outcome} ${data.error.category}` : data.outcome));
}

/** Items whose deltas do not add up to their text. */
function findUnevenItems(log: readonly RecordingEntry[]): string[] {
  const streamed = new Map<string, string>();
  const wrong: string[] = [];
  for (const entry of log) {
    if ("live" in entry && entry.type === "delta") {
      const key = `${entry.item} ${entry.channel}`;
      const before = streamed.get(key) ?? "";
      if (before.length !== entry.offset) wrong.push(`${key} at ${entry.offset} after ${before.length}`);
      streamed.set(key, before + entry.text);
    }
    if (entry.type !== "message.done" && entry.type !== "reasoning.done") continue;
    const channel = entry.type === "message.done" ? "text" : "reasoning";
    if (streamed.get(`${entry.data.item} ${channel}`) !== entry.data.text)
      wrong.push(`${entry.data.item} is not its pieces`);
  }
  return wrong;
}
