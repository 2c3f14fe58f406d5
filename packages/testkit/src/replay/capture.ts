import { readFileSync } from "node:fs";
import { asObject, asText, type Json, parseObject } from "@gantry/scripted/json";

/**
 * One recorded frame. `out` came from the agent, `in` went to it. A line that is no JSON object has `text` in place
 * of `msg`. `t` is milliseconds since the recording began, where it was noted.
 */
export interface CapturedFrame {
  dir: "in" | "out";
  msg?: Json;
  text?: string;
  t?: number;
}

export interface Capture {
  frames: CapturedFrame[];
  /** The recording's metadata: the file next to it, its `meta` and its `exit` lines. */
  meta: Json;
}

const DIRECTIONS: Record<string, CapturedFrame["dir"]> = {
  in: "in",
  "client->agent": "in",
  out: "out",
  "agent->client": "out",
  stdout: "out",
};

/**
 * Reads a recording in any of its shapes: an agent's raw stdout lines; `{dir, msg}` lines of both directions; or
 * `{sse}` and `{http}` lines of a server. Lines about the recording itself (stderr, timings) are left out.
 */
export function readCapture(path: string): Capture {
  const lines = readFileSync(path, "utf8").split("\n");
  const frames: CapturedFrame[] = [];
  const meta: Json = readSidecar(path);
  for (const line of lines) {
    if (!line.trim()) continue;
    const record = parseObject(line);
    if (record?.dir === "meta") Object.assign(meta, record, { dir: undefined, t: undefined });
    else if (record?.dir === "exit") meta.exitCode = record.code;
    else {
      const frame = frameOf(record, line);
      if (frame) frames.push(frame);
    }
  }
  return { frames, meta };
}

function frameOf(record: Json | null, line: string): CapturedFrame | null {
  if (!record) return { dir: "out", text: line };
  const time = typeof record.t === "number" ? { t: record.t } : {};
  if (typeof record.dir === "string") return withDirection(record, time);
  if (record.sse) return { dir: "out", msg: asObject(record.sse), ...time };
  if (record.http) return { dir: "in", msg: asObject(record.http), ...time };
  return { dir: "out", msg: record };
}

function withDirection(record: Json, time: { t?: number }): CapturedFrame | null {
  const dir = DIRECTIONS[asText(record.dir)];
  if (!dir) return null;
  const content = record.msg ?? record.json ?? record.line;
  if (typeof content === "string") return { dir, text: content, ...time };
  return content === undefined ? null : { dir, msg: asObject(content), ...time };
}

function readSidecar(path: string): Json {
  try {
    return parseObject(readFileSync(path.replace(/\.jsonl$/, ".meta.json"), "utf8")) ?? {};
  } catch {
    return {};
  }
}
