import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@gantry/protocol";
import { expect, test } from "vitest";
import { decodeRecording } from "../../recording/recording.ts";
import { faults } from "../../session/engine/testing/engine.fake.ts";
import type { Channel } from "../contract.ts";
import { acp } from "./descriptor.ts";
import { framesOf, play, recordingsIn, turnEnds } from "./testing/recordings.ts";

const [channel] = acp.channels as [Channel<never>];
const folder = join(import.meta.dirname, "..");
const spoken = readdirSync(folder).flatMap((agent) =>
  recordingsIn(join(folder, agent, "fixtures"), /^(acp|v2)-/).map((recording) => ({ agent, ...recording })),
);

test("finds recordings of fifteen agents", () => {
  expect(new Set(spoken.map(({ agent }) => agent)).size).toBe(15);
});

test.each(spoken)("decodes $agent $name without a dialect", ({ lines, meta }) => {
  expect(channel.recognises(lines.slice(0, 50).flatMap((line) => (line ? [JSON.parse(line)] : [])))).toBe(true);
  const entries = [...decodeRecording(acp, channel, lines, meta)];
  const events = entries.filter((entry): entry is Envelope => !("live" in entry));
  expect(faults(events)).toEqual({ broken: [], open: [] });
  // A vendor's own requests need its dialect.
  const rejected = (data: object) => "reason" in data && data.reason === "unknown request, rejected";
  const unread = events.flatMap(({ type, data }) => (type === "raw" && !rejected(data) ? [data] : []));
  expect(unread).toEqual([]);
  const prompts = events.filter(({ type }) => type === "turn.started");
  expect(turnEnds(events)).toHaveLength(prompts.length);
});

test("finds the turns in a recording of the agent's side alone", () => {
  const complete = spoken.filter(
    ({ agent, name }) =>
      /^(claude-agent-acp|kimi|omp|qwen)$/.test(agent) && /multi|write|ask|load|concurrent/.test(name),
  );
  const kinds = complete.map((recording) => {
    const output = framesOf(recording).filter((frame) => frame.dir !== "in");
    return play(channel, output).map(({ kind }) => kind);
  });
  expect(kinds.filter((outputs) => !outputs.includes("begin") || !outputs.includes("finish"))).toEqual([]);
});
