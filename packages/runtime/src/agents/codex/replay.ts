import { readdirSync, readFileSync } from "node:fs";
import type { Channel, Frame, LaunchOptions, Output } from "../contract.ts";
import { appServer } from "./app-server/channel.ts";
import { exec } from "./exec/channel.ts";

/** For tests: reads the recordings in `fixtures/` and decodes them. */
const folder = new URL("./fixtures/", import.meta.url);

export const launch: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "ask",
  uuid: "0a1b2c3d-0000-4000-8000-000000000000",
  dir: "/tmp/process",
};

export const recordings: string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.replace(".jsonl", ""))
  .sort();

type Meta = { exitCode?: number | null; signal?: string | null; stderr?: string };

export function channelFor(recording: string): Channel<unknown> {
  return (recording.startsWith("exec_") ? exec : appServer) as unknown as Channel<unknown>;
}

/** The frames of a recording; for `exec` also stderr and exit. */
export function framesOf(recording: string): Frame[] {
  const lines = read(`${recording}.jsonl`).split("\n").filter(Boolean);
  if (!recording.startsWith("exec_")) return lines.map((line) => JSON.parse(line) as Frame);
  const meta = JSON.parse(read(`${recording}.meta.json`)) as Meta;
  const complaints = (meta.stderr ?? "").split("\n").filter(Boolean);
  return [
    ...lines.map(parseFrame),
    ...complaints.map((text): Frame => ({ dir: "err", text })),
    { dir: "end", code: meta.exitCode ?? (meta.signal ? null : 0), signal: meta.signal ?? null },
  ];
}

function parseFrame(line: string): Frame {
  try {
    return { dir: "out", msg: JSON.parse(line) };
  } catch {
    return { dir: "out", text: line };
  }
}

function read(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

/** Decodes frames; `each` receives the state after every frame and may replace it. */
export function replay(
  channel: Channel<unknown>,
  frames: Frame[],
  options: LaunchOptions = launch,
  each: (state: unknown) => unknown = (state) => state,
): { state: unknown; outputs: Output[] } {
  let state = channel.initial(options);
  const outputs: Output[] = [];
  for (const frame of frames) {
    const [next, made] = channel.decode(state, frame);
    state = each(next);
    outputs.push(...made);
  }
  return { state, outputs };
}

export function ofKind<K extends Output["kind"]>(outputs: Output[], kind: K): Extract<Output, { kind: K }>[] {
  return outputs.filter((output): output is Extract<Output, { kind: K }> => output.kind === kind);
}

export function eventsOf(outputs: Output[], type: string) {
  return ofKind(outputs, "event")
    .map((output) => output.event)
    .filter((event) => event.type === type);
}
