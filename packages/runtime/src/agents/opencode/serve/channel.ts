import { defineChannel } from "../../contract.ts";
import { fields } from "../../fields.ts";
import { decode } from "./decode.ts";
import { CHANNEL, initialState, type ServeState } from "./state.ts";

/**
 * Recordings of `opencode serve`: `{sse}` lines are stream events, `{http}` lines are calls. Read-only: an HTTP server
 * does not fit a spool, so it is never started.
 */
export const serve = defineChannel<ServeState>({
  name: CHANNEL,
  launch: () => ({ args: [] }),
  initial: initialState,
  open: () => [],
  decode,
  encode: () => undefined,
  recognises: (lines) => lines.some((line) => "sse" in fields(line) || "http" in fields(line)),
});
