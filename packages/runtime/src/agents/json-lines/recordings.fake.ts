import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, EnvelopeSchema } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { faults } from "../../session/engine/engine.fake.ts";
import { unevenTexts } from "../../session/recording.fake.ts";
import { decodeRecording, recognise, type Told, toFrame } from "../../session/recording.ts";
import { type Agent, type Channel, defineAgent, type Frame, type LaunchOptions, type Output } from "../contract.ts";

/** For tests: the recordings of a channel, and the laws that all of them keep. */
export type Recordings = {
  channel: Channel<never>;
  /** Holds `<name>.jsonl` and, beside each, `<name>.meta.json` with how the process ended. */
  folder: string;
  /** Which of them, when the folder holds those of other channels too. */
  mine?: (name: string) => boolean;
  /** How each recording ends, turn by turn, as its own last lines (or the end of its process) say. */
  endings: Record<string, string[]>;
  /** Reasons of the raw events that a recording is known to hold. In the rest every line is understood. */
  raws?: Record<string, string[]>;
  /** Channels that stand before this one with its agent, for recognising. */
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

/** An agent that has nothing but channels. */
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

/** The frames of a recording, with what its process wrote to stderr and how it ended. */
export function framesOf(folder: string, name: string): Frame[] {
  const { lines, meta } = readRecording(folder, name);
  const said = lines.map(toFrame).filter((frame) => frame !== undefined);
  const errors = (meta.stderr ?? "").split("\n").filter(Boolean);
  return [
    ...said,
    ...errors.map((text): Frame => ({ dir: "err", text })),
    { dir: "end", code: meta.exitCode ?? null, signal: meta.signal ?? null },
  ];
}

/** Everything that frames mean; `between` may swap the state after each. */
export function play(
  channel: Channel<never>,
  frames: Iterable<Frame>,
  options: LaunchOptions = launch,
  between: (state: unknown) => unknown = (state) => state,
): { outputs: Output[]; state: unknown } {
  const talk = channel as unknown as Channel<unknown>;
  let state = talk.initial(options);
  const outputs: Output[] = [];
  for (const frame of frames) {
    const [next, said] = talk.decode(state, frame);
    state = between(next);
    outputs.push(...said);
  }
  return { outputs, state };
}

/** The outputs of one kind. */
export function only<K extends Output["kind"]>(outputs: Output[], kind: K): Extract<Output, { kind: K }>[] {
  return outputs.filter((output): output is Extract<Output, { kind: K }> => output.kind === kind);
}

/** The data of the events of one type, in order. */
export function data(outputs: Output[], type: string): Record<string, unknown>[] {
  return only(outputs, "event")
    .filter(({ event }) => event.type === type)
    .map(({ event }) => event.data as Record<string, unknown>);
}

/** The log that a recording makes, with live frames. */
export function told(recordings: Recordings, name: string): Told[] {
  const { lines, meta } = readRecording(recordings.folder, name);
  return [...decodeRecording(agentWith(recordings.channel), recordings.channel, lines, meta)];
}

/** How the turns of a log ended: `completed`, or `failed` with its category. */
export function endsOf(log: readonly Told[]): string[] {
  return log.flatMap((entry) => {
    if ("live" in entry || entry.type !== "turn.ended") return [];
    const { outcome, error } = entry.data;
    return [error ? `${outcome} ${error.category}` : outcome];
  });
}

const SMALL = 6_000;

/** One test for each law, over every recording. */
export function keepsTheLaws(recordings: Recordings): void {
  const { channel, folder, endings, raws = {}, others = [], mine = () => true } = recordings;
  const names = recordingsIn(folder).filter(mine);

  it("has a row for every recording", () => {
    expect(Object.keys(endings).sort()).toEqual(names);
  });

  describe.each(names)("%s", (name) => {
    const log = told(recordings, name);
    const events = log.filter((entry): entry is Envelope => !("live" in entry));
    const frames = framesOf(folder, name);

    it("ends as it says", () => {
      expect(endsOf(log)).toEqual(endings[name]);
    });

    it("has one end for every start, and texts that are the sum of their pieces", () => {
      expect(faults(events)).toEqual({ broken: [], open: [] });
      expect(unevenTexts(log, { streamed: true })).toEqual([]);
      for (const event of events) expect(EnvelopeSchema.safeParse(event).error?.message).toBeUndefined();
    });

    it("keeps lines raw only where that is known", () => {
      const reasons = events.flatMap((event) => (event.type === "raw" ? [event.data.reason ?? ""] : []));
      expect(reasons).toEqual(raws[name] ?? []);
    });

    it("is the same again, also from a state that was stored at every step", () => {
      const { outputs } = play(channel, frames);
      const stored = play(channel, frames, launch, (state) => {
        const written = JSON.stringify(state);
        expect(written.length).toBeLessThan(SMALL);
        expect(JSON.parse(written)).toStrictEqual(state);
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
