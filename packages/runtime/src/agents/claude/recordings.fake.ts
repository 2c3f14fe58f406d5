import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, LaunchOptions, Output } from "../contract.ts";
import { decode } from "./decode/decode.ts";
import { initialState, type State } from "./decode/state.ts";

const FOLDER = join(import.meta.dirname, "fixtures");

/** `<version>/<scenario>` of every recording of Claude Code. */
export const recordings: string[] = readdirSync(FOLDER).flatMap((version) =>
  readdirSync(join(FOLDER, version))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => `${version}/${file.slice(0, -".jsonl".length)}`),
);

export const launchOptions: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "inherit",
  uuid: "00000000-0000-4000-8000-00000000000f",
  dir: "/tmp/process",
};

/** The frames of a recording, with its stderr and exit. */
export function framesOf(name: string): Frame[] {
  const lines = readFileSync(join(FOLDER, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter(Boolean);
  const meta = JSON.parse(readFileSync(join(FOLDER, `${name}.meta.json`), "utf8"));
  const stderr: string[] = (meta.stderr ?? "").split("\n").filter(Boolean);
  return [
    ...lines.map(toFrame),
    ...stderr.map((text): Frame => ({ dir: "err", text })),
    { dir: "end", code: meta.exitCode, signal: meta.signal },
  ];
}

/** A line of a recording: raw stdout, or `{dir, msg}` in two-way recordings. */
export function toFrame(line: string): Frame {
  try {
    const parsed = JSON.parse(line);
    if (parsed.dir === "in" || parsed.dir === "out") return { dir: parsed.dir, msg: parsed.msg };
    return { dir: "out", msg: parsed };
  } catch {
    return { dir: "out", text: line };
  }
}

/** Decodes frames and returns the outputs and the last state; `between` may replace the state after each. */
export function play(
  frames: Iterable<Frame>,
  options: { from?: State; between?: (state: State) => State } = {},
): { outputs: Output[]; state: State } {
  let state = options.from ?? initialState(launchOptions);
  const outputs: Output[] = [];
  for (const frame of frames) {
    const [next, made] = decode(state, frame);
    state = options.between?.(next) ?? next;
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
