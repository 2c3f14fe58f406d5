import { setTimeout as sleep } from "node:timers/promises";
import { pieces } from "../pieces.ts";
import { type Failure, failures } from "./failures.ts";
import type { Mishap, Stop } from "./script.ts";
import type { Reply } from "./tools.ts";
import type { ReplyWriter } from "./wire/format.ts";

/** How fast a reply is written. */
export interface Pace {
  /** Milliseconds between chunks, unless the scenario sets them. */
  chunk: number;
  /** The same for the scenarios whose point is to be slow. */
  slow: number;
}

/** How a reply came to its end; `cut` and `stalled` leave the response to the caller. */
export type Ending = "finished" | "failed" | "cut" | "stalled";

/** Writes one reply, chunk by chunk. Stops with a rejection when `signal` aborts (the client has gone). */
export async function play(
  replies: Reply[],
  writer: ReplyWriter,
  options: { pace: Pace; stop: Stop; mishap?: Mishap; signal: AbortSignal },
): Promise<Ending> {
  const { pace, stop, mishap, signal } = options;
  writer.start();
  if (mishap?.type === "stream-failure") {
    writer.fail(failures[mishap.failure]);
    return "failed";
  }
  let chunks = 0;
  for (const reply of replies) {
    if (reply.type === "tool") writer.tool(reply.name, reply.argumentsText);
    else if (reply.type === "freeform") writer.freeform(reply.name, reply.text);
    else {
      const delay = reply.delay === "slow" ? pace.slow : (reply.delay ?? pace.chunk);
      for (const piece of pieces(reply.text, reply.size ?? 12)) {
        writer[reply.type](piece);
        if (delay > 0) await sleep(delay, undefined, { signal });
        signal.throwIfAborted();
        const ending = ++chunks === 2 ? interruption(mishap, writer) : null;
        if (ending) return ending;
      }
    }
  }
  writer.finish(stop);
  return "finished";
}

function interruption(mishap: Mishap | undefined, writer: ReplyWriter): Ending | null {
  if (mishap?.type === "drop") return "cut";
  if (mishap?.type === "stall") return "stalled";
  if (mishap?.type !== "broken") return null;
  const failure: Failure = failures.err503;
  writer.fail(failure);
  return "failed";
}
