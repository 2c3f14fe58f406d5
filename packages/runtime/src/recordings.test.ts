import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, EnvelopeSchema } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { agents } from "./agents/registry.ts";
import { faults } from "./session/engine/engine.fake.ts";
import { decodeRecording, recognise, type Told } from "./session/recording.ts";

/**
 * Frames of the recordings that are meant to stay raw, by recording: answers to requests that no client should make,
 * and rubbish that the recording's maker sent on purpose.
 */
const deliberatelyRaw: Record<string, number> = {
  appserver_noinit: 1,
  appserver_resume_3_fork: 1,
  disturbed: 28,
};

const recordings = agents.flatMap((agent) => {
  const folder = join(import.meta.dirname, "agents", agent.id, "fixtures");
  const files = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
  return files.filter((file) => file.endsWith(".jsonl")).map((file) => ({ agent, file, path: join(folder, file) }));
});

describe.each(recordings)("$agent.id $file", ({ agent, file, path }) => {
  const lines = readFileSync(path, "utf8").split("\n");
  const metaPath = path.replace(/\.jsonl$/, ".meta.json");
  const meta = existsSync(metaPath) ? JSON.parse(readFileSync(metaPath, "utf8")) : {};
  const channel = recognise(agent, lines.slice(0, 50));
  const told = channel ? [...decodeRecording(agent, channel, lines, meta)] : [];
  const events = told.filter((entry): entry is Envelope => !("live" in entry));

  it("keeps the laws", () => {
    expect(channel).toBeDefined();
    expect(faults(events)).toEqual({ broken: [], open: [] });
    expect(unevenTexts(told)).toEqual([]);
  });

  it("says nothing that the protocol does not know", () => {
    for (const event of events) expect(EnvelopeSchema.safeParse(event).error?.message).toBeUndefined();
  });

  it("keeps frames raw only where that is meant", () => {
    const name = file.split("/").at(-1)?.replace(".jsonl", "") ?? "";
    const raw = events.filter((event) => event.type === "raw");
    expect(raw.map((event) => event.data)).toHaveLength(deliberatelyRaw[name] ?? 0);
  });
});

it("has recordings of every agent", () => {
  for (const agent of agents) expect(recordings.some((recording) => recording.agent === agent)).toBe(true);
});

/** Items whose deltas do not add up to their final text. */
function unevenTexts(told: readonly Told[]): string[] {
  const streamed = new Map<string, string>();
  const uneven: string[] = [];
  for (const entry of told) {
    if ("live" in entry) {
      if (entry.type !== "delta") continue;
      const key = `${entry.item} ${entry.channel}`;
      const before = streamed.get(key) ?? "";
      if (before.length !== entry.offset) uneven.push(`${key}: offset ${entry.offset} after ${before.length}`);
      streamed.set(key, before + entry.text);
      continue;
    }
    if (entry.type !== "message.done" && entry.type !== "reasoning.done") continue;
    const channel = entry.type === "message.done" ? "text" : "reasoning";
    const sum = streamed.get(`${entry.data.item} ${channel}`);
    if (sum !== undefined && sum !== entry.data.text)
      uneven.push(`${entry.data.item}: ${JSON.stringify(sum)} is not its text`);
  }
  return uneven;
}
