import { defineChannel } from "../../contract.ts";
import { fields } from "../../fields.ts";
import { decode } from "./decode.ts";
import { CHANNEL, initialState, type ServeState } from "./state.ts";

/**
 * Recordings of `opencode serve`: `{sse}` lines are events of its stream, `{http}` lines are calls that were made. It
 * reads what was recorded and starts nothing: a server that is talked to by HTTP does not fit a spool.
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
