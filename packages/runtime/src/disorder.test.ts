import { type Envelope, EnvelopeSchema, InputRequest } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Channel, Frame, LaunchOptions, Output } from "./agents/contract.ts";
import { frameOf, LineSplitter } from "./framing/lines.ts";
import { type Piece, type Source, sources } from "./recording/recorded-sources.fake.ts";
import { unevenTexts } from "./recording/recording.fake.ts";
import { decodeRecording, toFrame } from "./recording/recording.ts";
import { faults } from "./session/engine/testing/engine.fake.ts";

/*
 * A channel handles any output of an agent: no throw, a state that can be stored at every step, events that the protocol
 * accepts, and nothing left open at the end. Tested with the recordings of every registered channel, with disturbances
 * that a newer version, a crash or a broken pipe may cause.
 */

const RUNS = Number(process.env.DISORDER_RUNS ?? 30);
/** Small, so that a huge field makes a line that is too long. */
const LINE_LIMIT = 64 * 1024;
const HUGE = "x".repeat(LINE_LIMIT + 1);
/** Deeper than the stack allows, as text: a recursive function could not build it. */
const DEEP = `${"[".repeat(5000)}${"]".repeat(5000)}`;
/** One frame leads to few events, however its fields are changed. */
const EVENTS_PER_FRAME = 40;
/** The reason for the retraction of a streamed part. */
const DIFFERS = "the completed text differs";
/** Events repeat a frame's texts at most this often. */
const SIZE_RATIO = 20;

const options: LaunchOptions = {
  cwd: "/workspace/project",
  mode: "ask",
  uuid: "00000000-0000-4000-8000-000000000000",
  dir: "/tmp/process",
  prompt: { message: "msg_1", text: "hello" },
};

describe.each(sources.map((source) => [`${source.agent.id} over ${source.channel.name}`, source] as const))(
  "%s",
  (_, source) => {
    it("has something to be disturbed", () => {
      expect(source.recordings.length).toBeGreaterThan(0);
    });

    it("takes any disorder", () => {
      fc.assert(
        fc.property(fc.nat(), fc.array(disturbance, { minLength: 1, maxLength: 8 }), (pick, disturbances) => {
          const pieces = source.recordings[pick % source.recordings.length] ?? [];
          const frames = toFrames(disturbances.reduce(disturbPieces, pieces));
          expectGoesOn(source.channel, frames);
          expectLaws(source, frames);
        }),
        { numRuns: RUNS },
      );
    });

    it("streams every text whole between lines of other programs", () => {
      const insertions = disturbance.filter(({ way }) => insertingWays.includes(way));
      fc.assert(
        fc.property(fc.nat(), fc.array(insertions, { maxLength: 8 }), (pick, disturbances) => {
          const pieces = source.recordings[pick % source.recordings.length] ?? [];
          const events = expectLaws(source, toFrames(disturbances.reduce(disturbPieces, pieces)));
          expect(events.filter(({ type, data }) => type === "message.retracted" && data.reason === DIFFERS)).toEqual(
            [],
          );
        }),
        { numRuns: Math.ceil(RUNS / 8) },
      );
    });
  },
);

function expectGoesOn(channel: Channel<never>, frames: readonly Frame[]): void {
  const ended: Frame[] = [...frames, { dir: "end", code: 1, signal: null }];
  const outputs = play(channel, ended, (state) => state);
  const stored = play(channel, ended, (state) => JSON.parse(JSON.stringify(state)));
  // As text: an object with a key named `constructor` is never strictly equal to its own copy.
  expect(JSON.stringify(stored)).toBe(JSON.stringify(outputs));
  for (const output of outputs) expectKnown(output);
}

function expectLaws({ agent, channel }: Source, frames: readonly Frame[]): Envelope[] {
  const entries = [...decodeRecording(agent, channel, frames.map(toLine), { exitCode: 1, stderr: "gone" })];
  const events = entries.filter((entry): entry is Envelope => !("live" in entry));
  expect(faults(events)).toEqual({ broken: [], open: [] });
  // Also if deltas were lost: then the streamed part is retracted and the text gets another item.
  expect(unevenTexts(entries, { streamed: false })).toEqual([]);
  expect(events.length).toBeLessThan(EVENTS_PER_FRAME * (frames.length + 5));
  expect(JSON.stringify(events).length).toBeLessThan(SIZE_RATIO * (JSON.stringify(frames).length + 10_000));
  return events;
}

function expectKnown(output: Output): void {
  const envelope = { v: 1, session: "ses_1", seq: 1, at: "1970-01-01T00:00:00.000Z" };
  if (output.kind === "event") valid(EnvelopeSchema, { ...envelope, ...output.event });
  if (output.kind === "ask") valid(InputRequest, { id: "inp_1", session: "ses_1", ...output.request });
}

function valid(schema: { safeParse(value: unknown): { error?: { issues: unknown[] } } }, value: unknown): void {
  expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
}

function play(channel: Channel<never>, frames: readonly Frame[], between: (state: unknown) => unknown): Output[] {
  const talk = channel as unknown as Channel<unknown>;
  let state = between(talk.initial(options));
  return frames.flatMap((frame) => {
    const [next, outputs] = talk.decode(state, frame);
    state = between(next);
    return outputs;
  });
}

/** As the daemon reads it: bytes through the splitter, in chunks that end anywhere, other streams in between. */
function toFrames(pieces: readonly Piece[]): Frame[] {
  const splitter = new LineSplitter(LINE_LIMIT);
  const frames = pieces.flatMap((piece) => {
    if ("frame" in piece) return [piece.frame];
    const middle = Math.floor(piece.bytes.length / 3);
    const chunks = [piece.bytes.subarray(0, middle), piece.bytes.subarray(middle)];
    return chunks.flatMap((chunk) => splitter.push(chunk)).map(frameOf);
  });
  return [...frames, ...splitter.flush().map(frameOf)];
}

/** A frame as a line of a recording. */
function toLine(frame: Frame): string {
  if ("oversize" in frame) return JSON.stringify({ dir: frame.dir, text: frame.head });
  return JSON.stringify(frame);
}

const values = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>("__proto__", "constructor", "", "NaN", "Infinity", -1, 1e21, null, [[]], HUGE),
  fc.constantFrom<unknown>({ toString: null, length: -1 }, JSON.parse('{"__proto__":{"id":1,"type":"text"}}')),
);
const ways = [
  ...["drop", "repeat", "swap", "stop", "unknown", "retype", "retype", "rename", "remove", "add"],
  ...["cut", "join", "bytes", "text", "complain", "foreign", "deep", "id"],
] as const;
const insertingWays: readonly string[] = ["stop", "unknown", "text", "complain"];
const disturbance = fc.record({
  way: fc.constantFrom(...ways),
  at: fc.nat(),
  by: fc.nat(),
  path: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  value: values,
});
type Disturbance = typeof disturbance extends fc.Arbitrary<infer T> ? T : never;

function disturbPieces(pieces: Piece[], { way, at, by, path, value }: Disturbance): Piece[] {
  const index = at % Math.max(1, pieces.length);
  const other = by % Math.max(1, pieces.length);
  const piece = pieces[index];
  if (piece === undefined) return pieces;
  switch (way) {
    case "drop":
      return pieces.toSpliced(index, 1);
    case "repeat":
      return pieces.toSpliced(other, 0, piece);
    case "swap":
      return pieces.with(index, pieces[other] ?? piece).with(other, piece);
    case "stop":
      return pieces.slice(0, index + 1);
    case "complain":
      return pieces.toSpliced(index, 0, { frame: { dir: "err", text: `Error: ${String(by)} {"type":"result"}` } });
    case "text":
      return pieces.toSpliced(index, 0, { bytes: Buffer.from("\u0000 (node:1) Warning: \u2028 {\n") });
    case "foreign":
      return pieces.toSpliced(index, 0, foreignPiece(by));
    case "unknown":
      return pieces.toSpliced(index, 0, line({ type: "made_up", method: "made/up", params: value, id: by }));
    default:
      return pieces.with(index, manglePiece(piece, way, by, path, value));
  }
}

/** A line that another agent printed. */
function foreignPiece(by: number): Piece {
  const { recordings } = sources[by % sources.length]!;
  const pieces = recordings[by % recordings.length]!;
  return pieces[by % pieces.length]!;
}

function manglePiece(piece: Piece, way: Disturbance["way"], by: number, path: number[], value: unknown): Piece {
  if ("frame" in piece) {
    const { frame } = piece;
    return "msg" in frame ? { frame: { dir: "in", msg: changeNode(frame.msg, way, path, value) } } : piece;
  }
  const { bytes } = piece;
  const place = by % bytes.length;
  if (way === "cut") return { bytes: Buffer.concat([bytes.subarray(0, place), Buffer.from("\n")]) };
  if (way === "join") return { bytes: bytes.subarray(0, -1) };
  if (way === "bytes") {
    const invalid = Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
    return { bytes: Buffer.concat([bytes.subarray(0, place), invalid, bytes.subarray(place)]) };
  }
  const frame = toFrame(bytes.toString("utf8"));
  if (way === "id") return { bytes: Buffer.from(changeId(bytes.toString("utf8"), by)) };
  if (way === "deep" && frame && "msg" in frame) {
    const message = JSON.stringify(changeNode(frame.msg, "retype", path, "deep value"));
    return { bytes: Buffer.from(`${message.replace('"deep value"', DEEP)}\n`) };
  }
  return frame && "msg" in frame ? line(changeNode(frame.msg, way, path, value)) : piece;
}

/** The line with another value for one of its ids. */
function changeId(message: string, by: number): string {
  const ids = [...message.matchAll(/"(?:\w*[iI]d|uuid)":("[^"]*"|\d+)/g)];
  const found = ids[by % Math.max(1, ids.length)];
  return found?.[1] ? message.replaceAll(found[1], by % 2 === 0 ? `"other-${by}"` : String(by)) : message;
}

function line(message: unknown): Piece {
  return { bytes: Buffer.from(`${JSON.stringify(message) ?? "null"}\n`) };
}

/** The message with one thing somewhere inside of it changed. */
function changeNode(node: unknown, way: Disturbance["way"], path: number[], value: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (typeof node !== "object" || node === null) return way === "retype" ? value : node;
  const keys = Object.keys(node);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const fields = node as Record<string, unknown>;
  if (rest.length > 0 && typeof fields[key] === "object" && fields[key] !== null) {
    const inside = changeNode(fields[key], way, rest, value);
    return Array.isArray(node) ? node.with(Number(key), inside) : { ...node, [key]: inside };
  }
  if (Array.isArray(node)) return way === "remove" ? node.toSpliced(Number(key), 1) : node.with(Number(key), value);
  const { [key]: old, ...others } = fields;
  if (way === "remove") return others;
  if (way === "rename") return { ...others, [`${key}New`]: old };
  if (way === "add") return { ...node, brandNew: value };
  return { ...node, [key]: value };
}
