import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, Channel, Frame } from "../agents/contract.ts";
import { builtInAgents } from "../agents/registry.ts";
import { recognise, toFrame } from "./recording.ts";

/** Of a long recording: the start, where the connection is opened, and as many of the other lines. */
const LONGEST = 120;

/** One line of a recording, as bytes if the agent wrote it. */
export type Piece = { bytes: Buffer } | { frame: Frame };
export type Source = { agent: Agent; channel: Channel<never>; recordings: Piece[][] };

const recorded = builtInAgents.flatMap((agent) => recordingsOf(agent));

/**
 * For tests: every channel of every built-in agent, with its recordings. Channels without recordings use those of the
 * channels with the same name.
 */
export const sources: Source[] = builtInAgents.flatMap((agent) =>
  agent.channels.map((channel) => {
    const named = recorded.filter((recording) => recording.channel.name === channel.name);
    const own = named.filter((recording) => recording.channel === channel);
    return { agent, channel, recordings: (own.length > 0 ? own : named).map(({ pieces }) => pieces) };
  }),
);

function recordingsOf(agent: Agent): { channel: Channel<never>; pieces: Piece[] }[] {
  const folder = join(import.meta.dirname, "../agents", agent.id);
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) =>
    /(?:^|\/)fixtures\/(?!history\/).*\.jsonl$/.test(file),
  );
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const channel = recognise(agent, lines.slice(0, 50));
    const frames = lines.map(toFrame).filter((frame) => frame !== undefined);
    const pieces = frames.filter((frame) => frame.dir !== "end").map(toPiece);
    const shortened =
      pieces.length > LONGEST ? [...pieces.slice(0, LONGEST / 2), ...pieces.slice(-LONGEST / 2)] : pieces;
    return channel && shortened.length > 0 ? [{ channel, pieces: shortened }] : [];
  });
}

function toPiece(frame: Frame): Piece {
  if (frame.dir !== "out") return { frame };
  const text = "msg" in frame ? JSON.stringify(frame.msg) : "text" in frame ? frame.text : frame.head;
  return { bytes: Buffer.from(`${text}\n`) };
}
