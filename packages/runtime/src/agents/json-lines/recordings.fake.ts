import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, EnvelopeSchema } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { unevenTexts } from "../../recording/recording.fake.ts";
import { decodeRecording, type RecordingEntry, recognise, toFrame } from "../../recording/recording.ts";
import { faults } from "../../session/engine/testing/engine.fake.ts";
import { type Agent, type Channel, defineAgent, type Frame, type LaunchOptions, type Output } from "../contract.ts";

/** For tests: the recordings of a channel and their expected results. */
export type Recordings = {
  channel: Channel<never>;
  /** Contains `<name>.jsonl` and `<name>.meta.json` (exit of the process). */
  folder: string;
  /** Filter, if the folder also holds recordings of other channels. */
  mine?: (name: string) => boolean;
  /** The expected outcome of each turn, derived from the recording's last lines or the exit. */
  endings: Record<string, string[]>;
  /** Expected reasons of raw events; all other lines must be understood. */
  raws?: Record<string, string[]>;
  /** Channels that precede this one in its agent, for recognition. */
  others?: Channel<never>[];
};

export const launch: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "inherit",
  uuid: "00000000-0000-4000-8000-000000000000",
  dir: "/tmp/process",
};

type Meta = { exitCode?: number | null; signal?: string | null; stderr?: string; cwd?: string };

export function recordingsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true }) as string[];
  return files
    .filter((file) => file.endsWith(".jsonl") && !file.startsWith("history/"))
    .map((file) => file.slice(0, -".jsonl".length))
    .sort();
}

export function readRecording(folder: string, name: string): { lines: string[]; meta: Meta } {
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8").split("\n");
  return { lines, meta: JSON.parse(readFileSync(join(folder, `${name}.meta.json`), "utf8")) };
}

/** An agent with only channels. */
export function agentWith(...channels: Channel<never>[]): Agent {
  return defineAgent({
    id: "recorded",
    name: "Recorded agent",
    find: { bin: [], env: "" },
    install: { command: "" },
    login: [],
    channels,
    modes: {},
    steer: "inline",
    resume: "id",
    fork: false,
    edits: false,
    fallbackModels: [],
    provider: "none",
    probe: async () => ({ auth: { state: "unknown", how: "" }, problems: [], ok: true }),
  });
}

/** The frames of a recording, with its stderr and exit. */
export function framesOf(folder: string, name: string): Frame[] {
  const { lines, meta } = readRecording(folder, name);
  const frames = lines.map(toFrame).filter((frame) => frame !== undefined);
  const errors = (meta.stderr ?? "").split("\n").filter(Boolean);
  return [
    ...frames,
    ...errors.map((text): Frame => ({ dir: "err", text })),
    { dir: "end", code: meta.exitCode ?? null, signal: meta.signal ?? null },
  ];
}

/** Decodes frames; `between` may replace the state after each. */
export function play(
  channel: Channel<never>,
  frames: Iterable<Frame>,
  options: LaunchOptions = launch,
  between: (state: unknown) => unknown = (state) => state,
): { outputs: Output[]; state: unknown } {
  const decoder = channel as unknown as Channel<unknown>;
  let state = decoder.initial(options);
  const outputs: Output[] = [];
  for (const frame of frames) {
    const [next, made] = decoder.decode(state, frame);
    state = between(next);
    outputs.push(...made);
  }
  return { outputs, state };
}

/** The outputs of one kind. */
export function outputsOfKind<K extends Output["kind"]>(outputs: Output[], kind: K): Extract<Output, { kind: K }>[] {
  return outputs.filter((output): output is Extract<Output, { kind: K }> => output.kind === kind);
}

/** The data of the events of one type, in order. */
export function data(outputs: Output[], type: string): Record<string, unknown>[] {
  return outputsOfKind(outputs, "event")
    .filter(({ event }) => event.type === type)
    .map(({ event }) => event.data as Record<string, unknown>);
}

/** The log of a recording, including live frames. */
export function decodeLog(recordings: Recordings, name: string): RecordingEntry[] {
  const { lines, meta } = readRecording(recordings.folder, name);
  return [...decodeRecording(agentWith(recordings.channel), recordings.channel, lines, meta)];
}

/** The outcomes of a log's turns: `completed`, or `failed` with its category. */
export function endsOf(log: readonly RecordingEntry[]): string[] {
  return log.flatMap((entry) => {
    if ("live" in entry || entry.type !== "turn.ended") return [];
    const { outcome, error } = entry.data;
    return [error ? `${outcome} ${error.category}` : outcome];
  });
}

const SMALL = 6_000;

/** Defines one test per invariant for every recording. */
export function describeRecordings(recordings: Recordings): void {
  const { channel, folder, endings, raws = {}, others = [], mine = () => true } = recordings;
  const names = recordingsIn(folder).filter(mine);

  it("has a row for every recording", () => {
    expect(Object.keys(endings).sort()).toEqual(names);
  });

  describe.each(names)("%s", (name) => {
    const log = decodeLog(recordings, name);
    const events = log.filter((entry): entry is Envelope => !("live" in entry));
    const frames = framesOf(folder, name);

    it("ends with the expected outcomes", () => {
      expect(endsOf(log)).toEqual(endings[name]);
    });

    it("has one end per start and texts that equal the sum of their deltas", () => {
      expect(faults(events)).toEqual({ broken: [], open: [] });
      expect(unevenTexts(log, { streamed: true })).toEqual([]);
      for (const event of events) expect(EnvelopeSchema.safeParse(event).error?.message).toBeUndefined();
    });

    it("has raw events only where expected", () => {
      const reasons = events.flatMap((event) => (event.type === "raw" ? [event.data.reason ?? ""] : []));
      expect(reasons).toEqual(raws[name] ?? []);
    });

    it("decodes identically from a state that is serialised after every frame", () => {
      const { outputs } = play(channel, frames);
      const stored = play(channel, frames, launch, (state) => {
        const written = JSON.stringify(state);
        expect(written.length).toBeLessThan(SMALL);
        // A clone, because tables in the state have no prototype.
        expect(JSON.parse(written)).toStrictEqual(structuredClone(state));
        return JSON.parse(written);
      });
      expect(stored.outputs).toEqual(outputs);
    });

    it("is recognised", () => {
      const { lines } = readRecording(folder, name);
      expect(recognise(agentWith(...others, channel), lines.slice(0, 50))?.name).toBe(channel.name);
    });
  });
}
