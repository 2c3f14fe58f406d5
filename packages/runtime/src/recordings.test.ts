import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, EnvelopeSchema } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { builtInAgents } from "./agents/registry.ts";
import { unevenTexts } from "./recording/recording.fake.ts";
import { decodeRecording, recognise } from "./recording/recording.ts";
import { faults } from "./session/engine/testing/engine.fake.ts";

/**
 * Frames of the recordings that are meant to stay raw, by recording: answers to requests that no client should make,
 * invalid lines that were recorded on purpose, and lines in which an agent redacted its own text.
 */
const deliberatelyRaw: Record<string, number> = {
  "codex/fixtures/appserver_noinit": 1,
  "codex/fixtures/appserver_resume_3_fork": 1,
  "copilot/json/fixtures/hermetic-netns": 2,
  "omp/rpc/fixtures/rpc-basic": 1,
  "pi/fixtures/0.73.1/rpc-basic": 3,
  "pi/fixtures/0.87.1/rpc-basic": 2,
  "scripted/fixtures/disturbed": 28,
};

/** Agents that were not available for a recording: written from their documentation or registry entry. */
const unrecorded = ["goose", "hermes", "junie"];

const recordings = builtInAgents.flatMap((agent) => {
  const folder = join(import.meta.dirname, "agents", agent.id);
  const files = (readdirSync(folder, { recursive: true }) as string[]).map((file) => `${agent.id}/${file}`);
  const ours = files.filter((file) => /\/fixtures\/(?!history\/).*\.jsonl$/.test(file));
  return ours.map((file) => ({ agent, file, path: join(import.meta.dirname, "agents", file) }));
});

describe.each(recordings)("$file", ({ agent, file, path }) => {
  const lines = readFileSync(path, "utf8").split("\n");
  const metaPath = path.replace(/\.jsonl$/, ".meta.json");
  const meta = existsSync(metaPath) ? JSON.parse(readFileSync(metaPath, "utf8")) : {};
  const channel = recognise(agent, lines.slice(0, 50));
  const entries = channel ? [...decodeRecording(agent, channel, lines, meta)] : [];
  const events = entries.filter((entry): entry is Envelope => !("live" in entry));

  it("keeps the laws", () => {
    expect(channel).toBeDefined();
    expect(faults(events)).toEqual({ broken: [], open: [] });
    expect(unevenTexts(entries, { streamed: false })).toEqual([]);
  });

  it("has only events that the protocol accepts", () => {
    for (const event of events) expect(EnvelopeSchema.safeParse(event).error?.message).toBeUndefined();
  });

  it("keeps frames raw only where that is meant", () => {
    const name = file.replace(".jsonl", "");
    const raw = events.filter((event) => event.type === "raw");
    expect(raw.map((event) => event.data)).toHaveLength(deliberatelyRaw[name] ?? 0);
  });
});

it("has recordings of every agent that could be had", () => {
  const without = builtInAgents.filter((agent) => !recordings.some((recording) => recording.agent === agent));
  expect(without.map(({ id }) => id)).toEqual(unrecorded);
});
