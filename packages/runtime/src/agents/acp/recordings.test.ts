import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@gantry/protocol";
import { expect, test } from "vitest";
import { faults } from "../../session/engine/engine.fake.ts";
import { decodeRecording } from "../../session/recording.ts";
import type { Channel } from "../contract.ts";
import { acp } from "./descriptor.ts";
import { recordingsIn, turnEnds } from "./testing/recordings.ts";

const [channel] = acp.channels as [Channel<never>];
const folder = join(import.meta.dirname, "..");
const spoken = readdirSync(folder).flatMap((agent) =>
  recordingsIn(join(folder, agent, "fixtures"), /^(acp|v2)-/).map((recording) => ({ agent, ...recording })),
);

test("there are recordings of twelve agents", () => {
  expect(new Set(spoken.map(({ agent }) => agent)).size).toBe(12);
});

test.each(spoken)("$agent $name is decoded without knowing the agent", ({ lines, meta }) => {
  expect(channel.recognises(lines.slice(0, 50).flatMap((line) => (line ? [JSON.parse(line)] : [])))).toBe(true);
  const told = [...decodeRecording(acp, channel, lines, meta)];
  const events = told.filter((entry): entry is Envelope => !("live" in entry));
  expect(faults(events)).toEqual({ broken: [], open: [] });
  expect(events.filter(({ type }) => type === "raw").map(({ data }) => data)).toEqual([]);
  const prompts = events.filter(({ type }) => type === "turn.started");
  expect(turnEnds(events)).toHaveLength(prompts.length);
});
