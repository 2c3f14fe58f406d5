import type { Failure } from "@gantry/protocol";
import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { isProviderError, textFailure } from "../reading/failures.ts";
import { messageUsage } from "../reading/usage.ts";
import { completeText, nextText } from "../texts.ts";
import { beginTurn, failTurn, finishTurn, reportReady } from "../turns.ts";
import type { MessageState } from "./state.ts";

const CANCELLED = /^(the )?(operation|request|turn|run) (was )?(cancell?ed|aborted|interrupted)/i;

/** Handles the last line of a turn. */
export function handleResult(pass: Pass<MessageState>, line: Fields): void {
  const { state } = pass;
  reportReady(pass, { handle: nonBlank(line.session_id) });
  const cost = number(line.total_cost_usd);
  const more = compact({
    usage: line.usage === undefined ? undefined : messageUsage(fields(line.usage)),
    cost: cost ? ({ usd: cost, source: "agent" } as const) : undefined,
    durationMs: number(line.duration_ms),
  });
  const error = text(line.error) ?? text(fields(line.error).message);
  const failed = state.failure ?? answerFailure(line);
  // Some agents report success although their last message was the provider's error.
  if (line.is_error !== true && line.subtype === "success" && !failed) handleSuccess(pass, line, more);
  else if (state.stopping || CANCELLED.test(error ?? "")) finishTurn(pass, { outcome: "interrupted", ...more });
  else failTurn(pass, failed ?? textFailure(error ?? text(line.result) ?? text(line.subtype) ?? ""), more);
  Object.assign(state, { stopping: undefined, block: undefined, answer: [], asks: {} });
}

/** The failure that the result repeats as the answer. */
function answerFailure(line: Fields): Failure | undefined {
  const answer = text(line.result) ?? "";
  return isProviderError(answer) ? textFailure(answer) : undefined;
}

function handleSuccess(pass: Pass<MessageState>, line: Fields, more: object): void {
  beginTurn(pass);
  if (!pass.state.worked) completeText(pass, nextText(pass), "text", text(line.result) ?? "");
  finishTurn(pass, { outcome: "completed", ...more });
}
