#!/usr/bin/env node
// replay-agent.ts claude|codex [the vendor's arguments]: a program that behaves like the vendor's, from a recording of it.
// The prompt `[[burst:N]]` repeats the recorded turn until at least N starts and ends of tool calls are written, as fast as
// they are read. Every repetition has fresh ids, which contain its number and its creation time.
import { createInterface } from "node:readline";
import { NATIVE_ID, readRecording, type Vendor } from "./recording.ts";

type Json = Record<string, unknown>;

const SUFFIX = "\u0001";
const DIGITS = "\u0002";

const [vendor, ...args] = process.argv.slice(2) as [Vendor, ...string[]];
const ONE_SHOTS: Record<string, string> = {
  "claude --version": "2.1.325 (Claude Code)",
  "claude auth status": '{"loggedIn":true,"authMethod":"api_key","apiProvider":"firstParty"}',
  "codex --version": "codex-cli 0.166.0",
  "codex login status": "Logged in using an API key",
};

const recording = readRecording(vendor);
const session = args[args.indexOf("--session-id") + 1] ?? "";

const oneShot = ONE_SHOTS[[vendor, ...args].join(" ")];
if (oneShot !== undefined) {
  process.stdout.write(`${oneShot}\n`, () => process.exit(0));
} else {
  createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line) as Json));
  process.stdin.on("end", () => process.exit(0));
}

async function receive(frame: Json): Promise<void> {
  const name = vendor === "claude" ? String((frame.request as Json | undefined)?.subtype) : String(frame.method);
  const id = frame.request_id ?? frame.id;
  if (id !== undefined) write(JSON.stringify(answerTo(name, id)));
  const isPrompt = vendor === "claude" ? frame.type === "user" : name === "turn/start";
  const [, count] = isPrompt ? (/\[\[burst:(\d+)\]\]/.exec(JSON.stringify(frame)) ?? []) : [];
  if (count !== undefined) await play(Number(count));
}

function answerTo(name: string, id: unknown): Json {
  const recorded = recording.answers.get(name);
  if (vendor === "codex")
    return recorded ? { ...recorded, id } : { id, error: { code: -32601, message: "not recorded" } };
  const response = (recorded?.response ?? { subtype: "success" }) as Json;
  return { type: "control_response", response: { ...response, request_id: id } };
}

async function play(count: number): Promise<void> {
  for (const line of recording.head) write(withSession(line));
  const loop = recording.loop.map((line) => withSession(withMarks(line)));
  const repetitions = Math.ceil(count / recording.edges.length);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const suffix = `_${repetition}_${process.hrtime.bigint() / 1000n}`;
    const digits = repetition.toString(16).padStart(12, "0");
    for (const line of loop) write(line.replaceAll(SUFFIX, suffix).replaceAll(DIGITS, digits));
    if (process.stdout.writableNeedDrain) await new Promise((done) => process.stdout.once("drain", done));
  }
  for (const line of recording.tail) write(withSession(line));
}

/** Marks the places that differ in each repetition. JSON contains no raw control characters. */
function withMarks(line: string): string {
  const marked = line.replaceAll(NATIVE_ID, `$&${SUFFIX}`);
  return marked.replaceAll(/"uuid":"([0-9a-f-]{24})[0-9a-f]{12}"/g, `"uuid":"$1${DIGITS}"`);
}

/** Claude's host chooses the id of the session. */
function withSession(line: string): string {
  return line.replaceAll(/"session_id":"[^"]*"/g, `"session_id":"${session}"`);
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
