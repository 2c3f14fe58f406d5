import { calls, GantryError, type TerminalExit, type TerminalGap, type TerminalOutput } from "@gantry/protocol";
import { call, pathOf } from "./call.ts";
import { openStream } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** A frame of a terminal's stream. `offset` is the position of the first byte in the whole output. */
export type TerminalFrame = { output: Uint8Array; offset: number } | { gap: TerminalGap } | { exit: TerminalExit };

export type FollowTerminalOptions = { after?: number; signal?: AbortSignal };

const RETRY_MS = 300;
/** `bad_ticket`: the connection broke after the ticket was spent. */
const RETRIED = ["unavailable", "bad_ticket"];
const TRIES = 5;

/**
 * Follows a terminal's output from byte `after`; the last frame is its exit. Opens each connection with a ticket. Reconnects after a broken connection and
 * resumes at the byte where it broke. Throws when the daemon has ended, because its terminals end with it.
 */
export async function* followTerminal(
  transport: Transport,
  id: string,
  { after = 0, signal }: FollowTerminalOptions,
): AsyncGenerator<TerminalFrame> {
  let place = after;
  for (let tries = 0; !signal?.aborted; tries++) {
    try {
      const { ticket } = await call(transport, "createTerminalTicket", { params: { id } });
      const path = pathOf(calls.streamTerminal.path, { params: { id }, query: { ticket, after: place } });
      for await (const { event, data } of openStream(transport, path, { signal, request: { bare: true } })) {
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
      if (!(error instanceof GantryError) || !RETRIED.includes(error.code) || tries >= TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Decodes Base64 in browsers and Node. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
