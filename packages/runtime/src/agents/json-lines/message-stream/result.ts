import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { wordsFailure } from "../reading/failures.ts";
import { messageUsage } from "../reading/usage.ts";
import type { Pass } from "../talk.ts";
import { nextText, whole } from "../texts.ts";
import { begin, fail, finish, ready } from "../turns.ts";
import type { MessageState } from "./state.ts";

const CANCELLED = /^(the )?(operation|request|turn|run) (was )?(cancell?ed|aborted|interrupted)/i;

/** The last line of a turn. */
export function result(pass: Pass<MessageState>, said: Fields): void {
  const { state } = pass;
  ready(pass, { handle: nonBlank(said.session_id) });
  const cost = number(said.total_cost_usd);
  const more = compact({
    usage: said.usage === undefined ? undefined : messageUsage(fields(said.usage)),
    cost: cost ? ({ usd: cost, source: "agent" } as const) : undefined,
    durationMs: number(said.duration_ms),
  });
  const error = text(said.error) ?? text(fields(said.error).message);
  if (said.is_error !== true && said.subtype === "success") succeeded(pass, said, more);
  else if (state.stopping || CANCELLED.test(error ?? "")) finish(pass, { outcome: "interrupted", ...more });
  else fail(pass, state.failure ?? wordsFailure(error ?? text(said.result) ?? text(said.subtype) ?? ""), more);
  Object.assign(state, { stopping: undefined, block: undefined, answer: [], asks: {} });
}

function succeeded(pass: Pass<MessageState>, said: Fields, more: object): void {
  begin(pass);
  if (!pass.state.worked) whole(pass, nextText(pass), "text", text(said.result) ?? "");
  finish(pass, { outcome: "completed", ...more });
}
