import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type Meta = { cwd?: string; exitCode?: number | null; signal?: string | null; stderr?: string };

const RECOGNISED_LINES = 50;

export type DecodeFlags = { agent: string; channel?: string; summary: boolean };

/** The unified events of a recording, one JSON a line. No daemon is needed. */
export default async function decode(this: Context, flags: DecodeFlags, capture: string): Promise<void> {
  const { agentById, agents, decodeRecording, recognise, summarise } = await import("@gantry/runtime");
  const agent = agentById(flags.agent);
  if (!agent) {
    const known = agents.map(({ id }) => id).join(", ");
    throw usageError(`There is no agent \`${flags.agent}\` whose recordings can be decoded.`, `Known: ${known}`);
  }
  const recording = capture === "-" ? await text(this.output.streams.input) : readCapture(capture);
  const lines = recording.split("\n").filter((line) => line.trim() !== "");
  const channel = flags.channel
    ? agent.channels.find(({ name }) => name === flags.channel)
    : recognise(agent, lines.slice(0, RECOGNISED_LINES));
  if (!channel) {
    const known = agent.channels.map(({ name }) => name).join(", ");
    throw usageError(`${agent.name} has no channel \`${flags.channel}\`.`, `It has: ${known}`);
  }
  const events = decodeRecording(agent, channel, lines, readMeta(capture));
  if (flags.summary) return this.output.data(summarise(events));
  await printEvents(events);
}

/** Respects back-pressure, so that a large recording does not accumulate in memory. */
async function printEvents(events: Iterable<unknown>): Promise<void> {
  for (const event of events) {
    if (!process.stdout.write(`${JSON.stringify(event)}\n`)) await once(process.stdout, "drain");
  }
}

function readCapture(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** How the recorded process ended, from the `.meta.json` next to the recording, if there is one. */
function readMeta(capture: string): Meta {
  if (capture === "-") return {};
  for (const path of [`${capture}.meta.json`, capture.replace(/\.jsonl$/, ".meta.json")]) {
    if (path !== capture && existsSync(path)) return metaOf(readFileSync(path, "utf8"), path);
  }
  return {};
}

function metaOf(content: string, path: string): Meta {
  try {
    const { cwd, exitCode, signal, stderr } = JSON.parse(content) as Record<string, unknown>;
    return {
      cwd: typeof cwd === "string" ? cwd : undefined,
      exitCode: typeof exitCode === "number" ? exitCode : null,
      signal: typeof signal === "string" ? signal : null,
      stderr: typeof stderr === "string" ? stderr : undefined,
    };
  } catch (error) {
    throw usageError(`${path} is not JSON: ${(error as Error).message}`);
  }
}
