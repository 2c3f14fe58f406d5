import { noUsage, type TurnOutcome, type Usage } from "@gantry/protocol";
import { compact, count, type Fields, fields, isFields, nonBlank, number, text, texts } from "../../fields.ts";
import { isConversationLost, resultFailure } from "../failures.ts";
import { raw } from "../outputs.ts";
import { abandon, finishText, openMessage } from "./messages/blocks.ts";
import { MAIN, type Pass } from "./state.ts";
import { beginTurn, finish } from "./turn.ts";

/** Handles the end of a turn. `subtype` is `success` for most failures, so all other fields are checked first. */
export function readResult(pass: Pass, frame: Fields): void {
  const { state } = pass;
  const failed = frame.is_error === true;
  const message = texts(frame.errors).join("\n");
  if (failed && isConversationLost(message)) {
    conversationLost(pass, message);
    if (!state.turn && !state.prompted) return;
  } else if (!state.turn && state.turns > 0 && !state.prompted) {
    return pass.emit(raw(frame, "the end of a turn that has ended already"));
  }
  beginTurn(pass);
  const outcome = outcomeOf(pass, frame, failed);
  // An unfinished block was dropped if the turn completed; otherwise it is all there is.
  if (outcome === "completed") abandon(pass, MAIN, 0);
  if (outcome === "completed") emitMissingText(pass, frame);
  contextUsage(pass, frame);
  const error = outcome === "failed" ? resultFailure(frame, state.turn?.failure) : undefined;
  finish(
    pass,
    compact({
      outcome,
      reason: reasonOf(frame, outcome),
      ...turnUsage(pass, frame),
      servedModel: state.served,
      error,
      durationMs: number(frame.duration_ms),
    }),
  );
}

/** Older versions report `completed` and `success` for a failed turn. */
function reasonOf(frame: Fields, outcome: TurnOutcome): string | undefined {
  const reason = text(frame.terminal_reason) ?? text(frame.subtype);
  if (outcome === "completed") return text(frame.terminal_reason);
  return reason === "completed" || reason === "success" ? "api_error" : reason;
}

/** No other conversation was started. Reported once, by stdout or stderr. */
export function conversationLost(pass: Pass, message: string): void {
  if (pass.state.lost) return;
  pass.state.lost = true;
  pass.emit({ kind: "lost", message });
}

function outcomeOf(pass: Pass, frame: Fields, failed: boolean): TurnOutcome {
  if (text(frame.terminal_reason)?.startsWith("aborted")) return "interrupted";
  if (!failed) return "completed";
  return pass.state.turn?.stopping ? "interrupted" : "failed";
}

/** With `--output-format json`, and for some commands, only the result contains the text. */
function emitMissingText(pass: Pass, frame: Fields): void {
  const answer = nonBlank(frame.result);
  if (!answer || pass.state.turn?.hasOutput) return;
  openMessage(pass, MAIN, nonBlank(frame.uuid) ?? "result");
  const item = finishText(pass, MAIN, "text", answer);
  if (item) pass.event("message.done", { item, text: answer });
}

function contextUsage(pass: Pass, frame: Fields): void {
  const { context, served, model } = pass.state;
  if (context === undefined) return;
  const rows = fields(frame.modelUsage);
  const row = fields(rows[model ?? ""] ?? rows[served ?? ""]);
  const size = number(row.contextWindow);
  pass.event(
    "context.usage",
    compact({ used: context, size: size === undefined ? undefined : count(size), origin: "agent" }),
  );
}

/**
 * The turn's usage and cost, including subagents. Newer versions report it directly. Older ones report sums since the
 * process started, which are subtracted; newer sums cover the conversation and are not.
 */
function turnUsage(pass: Pass, frame: Fields): { usage?: Usage; cost?: { usd: number; source: "agent" } } {
  const { state } = pass;
  const total = number(frame.total_cost_usd);
  const sum = sumUp(frame.modelUsage);
  const stated = isFields(frame.model_usage_since_last_result) ? sumUp(frame.model_usage_since_last_result) : undefined;
  const usage = stated?.usage ?? subtract(sum.usage, state.used);
  const usd = stated?.usd ?? (total === undefined ? undefined : Math.max(0, total - state.spent));
  state.used = sum.usage;
  state.spent = total ?? state.spent;
  return compact({ usage, cost: usd === undefined ? undefined : { usd: round(usd), source: "agent" as const } });
}

function sumUp(value: unknown): { usage: Usage; usd: number } {
  let usage = noUsage;
  let usd = 0;
  for (const entry of Object.values(fields(value))) {
    const row = fields(entry);
    const cacheRead = count(row.cacheReadInputTokens);
    const cacheWrite = count(row.cacheCreationInputTokens);
    usage = {
      input: usage.input + count(row.inputTokens) + cacheRead + cacheWrite,
      output: usage.output + count(row.outputTokens),
      cacheRead: usage.cacheRead + cacheRead,
      cacheWrite: usage.cacheWrite + cacheWrite,
      reasoning: usage.reasoning + count(row.thinkingTokens),
    };
    usd += Math.max(0, number(row.costUSD) ?? 0);
  }
  return { usage, usd };
}

function subtract(now: Usage, before: Usage): Usage {
  const tokensSince = (key: keyof Usage) => Math.max(0, now[key] - before[key]);
  return {
    input: tokensSince("input"),
    output: tokensSince("output"),
    cacheRead: tokensSince("cacheRead"),
    cacheWrite: tokensSince("cacheWrite"),
    reasoning: tokensSince("reasoning"),
  };
}

/** Removes floating point noise from sums of fractions of a cent. */
function round(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
