import {
  calls,
  GantryError,
  type OpenTerminal,
  type RouteName,
  type RouteResult,
  type TerminalExit,
  type TerminalGap,
  type TerminalOutput,
} from "@gantry/protocol";
import { type CallInput, call, pathOf } from "./call.ts";
import { openStream } from "./stream.ts";
import type { Transport } from "./transport.ts";

/** What a terminal's stream is made of. `offset` is the place of the first byte in everything that was printed. */
export type TerminalFrame = { output: Uint8Array; offset: number } | { gap: TerminalGap } | { exit: TerminalExit };

export type FollowTerminalOptions = { after?: number; signal?: AbortSignal };

const RETRY_MS = 300;
const TRIES = 5;

/** Calls about terminals. They throw `GantryError`. */
export function terminalCalls(transport: Transport) {
  const make = <K extends RouteName>(name: K, input: CallInput<K>): Promise<RouteResult<K>> =>
    call(transport, name, input);
  return {
    open: (body: OpenTerminal = {}) => make("openTerminal", { body }),
    list: async () => (await make("listTerminals", {})).terminals,
    get: (id: string) => make("getTerminal", { params: { id } }),
    type: (id: string, data: string) => make("typeIntoTerminal", { params: { id }, body: { data } }),
    resize: (id: string, cols: number, rows: number) =>
      make("resizeTerminal", { params: { id }, body: { cols, rows } }),
    close: (id: string) => make("closeTerminal", { params: { id } }),
    follow: (id: string, options: FollowTerminalOptions = {}) => followTerminal(transport, id, options),
  };
}

/**
 * What a terminal printed from byte `after` on, then whatever it prints, then its end, which is the last frame. A
 * connection that breaks is opened again at the byte where it broke; a daemon that is gone has taken the terminal along.
 */
async function* followTerminal(
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
