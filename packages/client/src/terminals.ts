import { calls, GantryError, type TerminalExit, type TerminalGap, type TerminalOutput } from "@gantry/protocol";
import { pathOf } from "./call.ts";
import { openStream } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** What a terminal's stream is made of. `offset` is the place of the first byte in everything that was printed. */
export type TerminalFrame = { output: Uint8Array; offset: number } | { gap: TerminalGap } | { exit: TerminalExit };

export type FollowTerminalOptions = { after?: number; signal?: AbortSignal };

const RETRY_MS = 300;
const TRIES = 5;

/**
 * What a terminal printed from byte `after` on, then whatever it prints, then its end, which is the last frame. A
 * connection that breaks is opened again at the byte where it broke; a daemon that is gone has taken the terminal along.
 */
export async function* followTerminal(
  transport: Transport,
  id: string,
  { after = 0, signal }: FollowTerminalOptions,
): AsyncGenerator<TerminalFrame> {
  let place = after;
  for (let tries = 0; !signal?.aborted; tries++) {
    const path = pathOf(calls.getTerminal.path, { params: { id }, query: { after: place } });
    try {
      for await (const { event, data } of openStream(transport, path, { signal })) {
        tries = 0;
        if (event === "gap") yield { gap: data as TerminalGap };
        if (event === "exit") return yield { exit: data as TerminalExit };
        if (event !== "output") continue;
        const { offset, data: text } = data as TerminalOutput;
        const output = bytesOf(text);
        place = offset + output.length;
        yield { output, offset };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof GantryError) || error.code !== "unavailable" || tries >= TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Base64 in a way that browsers and Node share. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
