#!/usr/bin/env node
// A fake agent that plays a recording: main.ts <capture.jsonl> [--speed n]. Other arguments are taken and ignored.
import { readLines } from "@gantry/scripted/lines";
import { readCapture } from "./capture.ts";
import { playCapture } from "./player.ts";

const argv = process.argv.slice(2);
const path = argv[0];
if (!path || path.startsWith("--")) {
  process.stderr.write("usage: main.ts <capture.jsonl> [--speed n]\n");
  process.exit(2);
}
const speedAt = argv.indexOf("--speed");
const speed = speedAt < 0 ? 0 : Number(argv[speedAt + 1]);

const lines: (string | null)[] = [];
let wake = () => {};
const push = (line: string | null) => {
  lines.push(line);
  wake();
};
readLines(
  process.stdin,
  (line) => line.trim() && push(line),
  () => push(null),
);

async function nextLine(): Promise<string | null> {
  while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  return lines[0] === null ? null : (lines.shift() as string);
}

const capture = readCapture(path);
const write = (line: string) => void process.stdout.write(`${line}\n`);
const whole = await playCapture(capture, { speed, write, nextLine });
// A conversation stays open until the host closes stdin; a one-shot run ends with the recording.
if (whole && capture.frames.some((frame) => frame.dir === "in")) while ((await nextLine()) !== null);
const code = typeof capture.meta.exitCode === "number" ? capture.meta.exitCode : 0;
process.stdout.write("", () => process.exit(code));
