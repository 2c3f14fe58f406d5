import { type Envelope, foldSession, type SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { type Channel, type Frame, type LaunchOptions, MAX_OPEN_CALLS } from "../agents/contract.ts";
import { fields } from "../agents/fields.ts";
import { faults } from "../session/engine/testing/engine.fake.ts";
import { type Source, sources } from "./recorded-sources.fake.ts";
import { decodeRecording, toFrame } from "./recording.ts";

/*
 * The work for a frame does not grow with the number of tool calls that an agent leaves open. Tested with the first
 * recorded frame that opens a call, repeated with other ids.
 */

const CALLS = 1000;
/** Linear work takes 4 times as long for 4 times the calls, quadratic work 16 times. */
const MAX_RATIO = 9;
/** A ratio above the limit is measured again: garbage collection and other processes disturb it. */
const ATTEMPTS = 4;

const launch: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "inherit",
  uuid: "00000000-0000-4000-8000-000000000000",
  dir: "",
};

/** One source per kind of channel: those of one kind share their decoder. The own agent adds to the one of its kind. */
const openings = sources
  .filter(({ agent, channel }, index) => {
    const isFirst = sources.findIndex((other) => other.channel.name === channel.name && findOpening(other)) === index;
    return isFirst || agent.id === "gantry";
  })
  .map((source) => ({ name: `${source.agent.id} over ${source.channel.name}`, source, opening: findOpening(source) }));

describe.each(openings)("$name", ({ source, opening }) => {
  const run = (count: number) => decodeRecording(source.agent, source.channel, opening?.lines(count) ?? []);

  it("stores calls above the limit as raw and ends every call that it started", () => {
    const events = [...run(MAX_OPEN_CALLS + 50)].filter((entry): entry is Envelope => !("live" in entry));
    let view: SessionView | undefined;
    let most = 0;
    for (const event of events) {
      view = foldSession(view, event);
      most = Math.max(most, view.tools.length);
    }
    expect(most).toBe(MAX_OPEN_CALLS);
    expect(events.filter(({ type }) => type === "raw").length).toBeGreaterThanOrEqual(50);
    expect(faults(events)).toEqual({ broken: [], open: [] });
  }, 60_000);

  it("works in proportion to the number of calls", () => {
    const measure = (count: number) => {
      const entries = run(count);
      const before = process.threadCpuUsage();
      while (!entries.next().done);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    const ratios: number[] = [];
    while (ratios.length < ATTEMPTS && !ratios.some((ratio) => ratio < MAX_RATIO))
      ratios.push(measure(4 * CALLS) / measure(CALLS));
    expect(Math.min(...ratios)).toBeLessThan(MAX_RATIO);
  }, 120_000);
});

it("covers every shared decoder", () => {
  const names = openings.map(({ source }) => source.channel.name);
  expect(names).toEqual(
    expect.arrayContaining(["acp", "stream-json", "app-server", "exec", "json", "rpc", "scripted"]),
  );
});

/** The lines of a recording before the first tool call, then any number of calls that stay open. */
function findOpening({ channel, recordings }: Source): { lines(count: number): string[] } | undefined {
  for (const pieces of recordings) {
    const frames = pieces.flatMap((piece) =>
      "frame" in piece ? piece.frame : (toFrame(piece.bytes.toString()) ?? []),
    );
    const first = findFirstCall(channel as unknown as Channel<unknown>, frames);
    if (!first) continue;
    const before = frames.slice(0, first.at).map((frame) => JSON.stringify(frame));
    const call = JSON.stringify(frames[first.at]);
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => call.replaceAll(first.id, `${first.id}-${index}`));
    return { lines: (count) => [...before, ...calls(count)] };
  }
  return undefined;
}

/** The place of the first frame that only starts a tool call, and the native id of the call. */
function findFirstCall(channel: Channel<unknown>, frames: readonly Frame[]): { at: number; id: string } | undefined {
  let state = channel.initial(launch);
  for (const [at, frame] of frames.entries()) {
    const [next, outputs] = channel.decode(state, frame);
    state = next;
    const events = outputs.flatMap((output) => (output.kind === "event" ? output.event : []));
    const started = events.find(({ type }) => type === "tool.started");
    const isOther = events.some(({ type }) => type === "tool.ended") || outputs.some(({ kind }) => kind === "ask");
    if (!started || isOther || !("msg" in frame)) continue;
    const item = String(fields(started.data).item);
    const ids = stringsIn(frame.msg).filter((value) => value.length > 2 && item.includes(value));
    const [id] = ids.toSorted((a, b) => b.length - a.length);
    if (id) return { at, id };
  }
  return undefined;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
