import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeAgentAcp } from "../claude-agent-acp/descriptor.ts";
import type { Channel, Frame } from "../contract.ts";
import { kimi } from "../kimi/descriptor.ts";
import { omp } from "../omp/descriptor.ts";
import { qwen } from "../qwen/descriptor.ts";
import { acp } from "./descriptor.ts";
import { framesOf, play, recordingsIn } from "./testing/recordings.ts";

const sources = [claudeAgentAcp, kimi, omp, qwen].flatMap((agent) => {
  const [channel] = agent.channels as [Channel<never>];
  const recordings = recordingsIn(join(import.meta.dirname, "..", agent.id, "fixtures"));
  const telling = recordings.filter(({ name }) => /multi|write|ask|load|concurrent/.test(name));
  return telling.map((recording) => ({ channel, frames: framesOf(recording) }));
});

test("garbled frames never throw, and a state that was stored goes on the same", () => {
  const garble = fc.record({
    at: fc.nat(),
    path: fc.array(fc.nat(), { maxLength: 6 }),
    value: fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>("__proto__", "constructor", "", -1, { toString: null, length: -1 }, [[]]),
    ),
    skip: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.nat(), fc.array(garble, { minLength: 1, maxLength: 6 }), (pick, garbles) => {
      const source = sources[pick % sources.length];
      if (!source) return;
      const frames = [...source.frames];
      for (const { at, path, value, skip } of garbles) {
        const index = at % frames.length;
        if (skip) frames.splice(index, 1);
        else frames[index] = garbled(frames[index] as Frame, path, value);
      }
      const stored = play(source.channel, frames, (state) => JSON.parse(JSON.stringify(state)));
      // As text: an object with a key named `constructor` is never strictly equal to its own copy.
      expect(JSON.stringify(stored)).toBe(JSON.stringify(play(source.channel, frames)));
    }),
    { numRuns: 200 },
  );
});

test("the agent's side alone tells turns too, for any agent", () => {
  const [channel] = acp.channels as [Channel<never>];
  for (const { frames } of sources) {
    const heard = frames.filter((frame) => frame.dir !== "in");
    const kinds = play(channel, heard).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "begin").length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === "finish").length).toBeGreaterThan(0);
  }
});

/** The frame with one value somewhere inside replaced. */
function garbled(frame: Frame, path: number[], value: unknown): Frame {
  if (!("msg" in frame)) return frame;
  const walk = (node: unknown, depth: number): unknown => {
    if (typeof node !== "object" || node === null || depth >= path.length) return value;
    const keys = Object.keys(node);
    const key = keys[(path[depth] as number) % Math.max(1, keys.length)];
    if (key === undefined) return value;
    const copy = (Array.isArray(node) ? [...node] : { ...node }) as Record<string, unknown>;
    copy[key] = walk(copy[key], depth + 1);
    return copy;
  };
  return { dir: frame.dir, msg: walk(frame.msg, 0) } as Frame;
}
