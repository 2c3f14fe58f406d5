import { addUsage, type Failure, failure, type TurnOutcome, type Usage } from "@gantry/protocol";
import type { RpcError } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, preview, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, textFailure } from "../failures.ts";
import { event, notice } from "../outputs.ts";
import type { Prompt, State, Turn, TurnEnd, TurnResult } from "../state.ts";
import { closeText } from "../updates/texts.ts";
import { endDeniedTool } from "../updates/tool-end.ts";
import { servedModel, turnUsage, usedSince } from "../wire/usage.ts";
import { acknowledge, beginTurn } from "./begin.ts";
import { countFrame, needsCount, readCount } from "./counting.ts";
import { sendReasons } from "./denial-reasons.ts";
import { mayTrail } from "./trail.ts";

/**
 * Handles a prompt's response. An error for a later prompt drops it while the turn continues; a success for a later
 * prompt ends the turn, because the agent has abandoned the earlier one.
 */
export function handlePromptResult(dialect: Dialect, state: State, id: string, ending: TurnEnd): Step<State> {
  const index = state.prompts.findIndex((entry) => entry.id === id);
  const prompt = state.prompts[index];
  if (!prompt || index === 0) return endTurn(dialect, state, ending);
  const well = !ending.error && ending.result.stopReason !== "cancelled";
  return well ? endTurn(dialect, { ...state, prompts: state.prompts.slice(index) }, ending) : dropPrompt(state, prompt);
}

/** Version 2 responds to a prompt when it is accepted. */
export function handlePromptAccepted(state: State, id: string): Step<State> {
  const prompt = state.prompts.find((entry) => entry.id === id);
  if (!prompt || prompt.taken) return [state, []];
  const prompts = state.prompts.map((entry) => (entry === prompt ? { ...entry, taken: true } : entry));
  const inline = state.turn !== undefined;
  const outputs: Output[] = prompt.message ? [{ kind: "taken", message: prompt.message, inline }] : [];
  return [{ ...state, prompts }, [...acknowledge(prompt), ...outputs]];
}

export function handlePromptError(dialect: Dialect, state: State, id: string, error: RpcError): Step<State> {
  return handlePromptResult(dialect, state, id, { result: {}, error });
}

function dropPrompt(state: State, prompt: Prompt): Step<State> {
  const { message } = prompt;
  const prompts = state.prompts.filter((entry) => entry !== prompt);
  const outputs: Output[] = message ? [{ kind: "taken", message, inline: true }] : [];
  return [{ ...state, prompts }, [...acknowledge(prompt), ...outputs]];
}

/** The agent ended the turn. It may report this twice. */
export function endTurn(dialect: Dialect, state: State, ending: TurnEnd): Step<State> {
  if (state.turn?.trailing) return [state, []];
  return runSteps(
    state,
    (current) => (current.turn ? [current, []] : beginTurn(current, current.prompts[0])),
    (current) =>
      mayTrail(dialect, current)
        ? [{ ...current, turn: { ...current.turn, trailing: ending } }, []]
        : finish(dialect, current, ending),
  );
}

/** Stops waiting for late output of an ended turn: the time has passed, or something else begins. */
export function releaseEnd(dialect: Dialect, state: State): Step<State> {
  const { trailing, ...turn } = state.turn ?? {};
  return trailing ? finish(dialect, { ...state, turn }, trailing) : [state, []];
}

function finish(dialect: Dialect, state: State, ending: TurnEnd): Step<State> {
  // Judge before closing the last message, which may contain the error.
  const verdict = judge(dialect, state, ending);
  const unexplained = state.reasons !== undefined && verdict.outcome !== "interrupted" && !ending.error;
  return runSteps(
    state,
    closeText,
    (current) =>
      runSteps(current, ...deniedTools(current).map((native) => (open: State) => endDeniedTool(open, native))),
    (current) => inferCompaction(dialect, current, verdict.outcome),
    (current) => [current, verdict.outcome === "completed" ? noteUnknownReason(current, ending.result) : []],
    (current) => {
      if (unexplained) return sendReasons(current, ending.result);
      if (compactsInBackground(dialect, current, verdict))
        return [{ ...current, turn: { ...current.turn, waiting: verdict } }, []];
      return needsCount(current)
        ? requestUsage(dialect, current, verdict)
        : conclude(dialect, current, ending, verdict);
    },
  );
}

/**
 * Whether the agent continues a requested compaction in the background after its response. Messages sent meanwhile
 * would be lost, so the turn lasts until the compaction ends.
 */
function compactsInBackground(dialect: Dialect, { prompts, turn }: State, { outcome }: TurnResult): boolean {
  const begun = prompts[0]?.compacts === true && turn?.hasOutput === true && !turn.compactionOver;
  return begun && outcome === "completed" && reportsCompaction(dialect);
}

function reportsCompaction({ asides }: Dialect): boolean {
  return asides?.some(({ as }) => as === "compacted") === true;
}

/** Ends a turn that waited for a background compaction. */
export function finishAfterCompaction(dialect: Dialect, state: State): Step<State> {
  const { waiting, compactionOver, ...turn } = state.turn ?? {};
  if (!waiting || !compactionOver) return [state, []];
  const next = { ...state, turn };
  return needsCount(next) ? requestUsage(dialect, next, waiting) : conclude(dialect, next, { result: {} }, waiting);
}

/** The turn has ended; requests its usage. */
function requestUsage(dialect: Dialect, state: State, verdict: TurnResult): Step<State> {
  const turn = { ...state.turn, counting: { verdict, reply: "" } };
  return [{ ...state, turn }, [countFrame(dialect, state)]];
}

/** Handles the response to the usage request. */
export function handleUsageReply(dialect: Dialect, state: State): Step<State> {
  const counting = state.turn?.counting;
  if (!counting) return [state, []];
  const total = readCount(dialect, counting.reply);
  const usage = total && usedSince(total, state.total);
  const turn = compact({ ...state.turn, usage });
  return conclude(dialect, compact({ ...state, turn, total: total ?? state.total }), { result: {} }, counting.verdict);
}

function deniedTools(state: State): string[] {
  if (state.turn?.cancelled) return [];
  return Object.entries(state.tools).flatMap(([native, tool]) => (tool.denied ? [native] : []));
}

/** Agents that do not report a compaction: inferred from the command that started it. */
function inferCompaction(dialect: Dialect, state: State, outcome: TurnOutcome): Step<State> {
  if (outcome !== "completed" || reportsCompaction(dialect)) return [state, []];
  if (state.prompts[0]?.compacts) return [state, [event("context.compacted", { trigger: "manual", inferred: true })]];
  return [state, state.turn?.compacting ? [event("context.compacted", { trigger: "auto", inferred: true })] : []];
}

function conclude(dialect: Dialect, state: State, ending: TurnEnd, verdict: TurnResult): Step<State> {
  const { turn, prompts, reasons: _, retried: __, ...rest } = state;
  const reported = turnUsage(ending.result);
  const usage = reported && dialect.totalUsage ? usedSince(reported, state.total) : usageOf(turn, reported);
  const withdrawn = Object.keys(state.asks).map(
    (key): Output => ({ kind: "withdrawn", key, reason: "the turn ended" }),
  );
  const finished: Output = compact({
    kind: "finish",
    ...verdict,
    reason: verdict.error?.message,
    usage: nonZeroUsage(usage),
    cost: costOf(state),
    servedModel: servedModel(ending.result) ?? turn?.model ?? state.settings.model,
  });
  const next: State = compact({
    ...rest,
    prompts: prompts.slice(1).filter((prompt) => !prompt.taken),
    tools: {},
    terminals: {},
    asks: {},
    ended: [...state.ended, ...Object.keys(state.tools)],
    total: reported ?? state.total,
  });
  return [next, [...withdrawn, finished]];
}

/** The reported usage covers the whole turn, unless the turn continued after an earlier end. */
function usageOf(turn: Turn | undefined, reported: Usage | undefined): Usage | undefined {
  if (!reported) return turn?.usage;
  return turn?.sentReasons && turn.usage ? addUsage(turn.usage, reported) : reported;
}

function nonZeroUsage(usage: Usage | undefined): Usage | undefined {
  return usage && usage.input + usage.output > 0 ? usage : undefined;
}

function costOf({ cost, turn }: State): { usd: number; source: "agent" } | undefined {
  if (cost === undefined || turn?.costBefore === undefined || cost <= turn.costBefore) return undefined;
  return { usd: Number((cost - turn.costBefore).toFixed(9)), source: "agent" };
}

function judge(dialect: Dialect, state: State, { result, error }: TurnEnd): TurnResult {
  const { turn } = state;
  const stop = text(result.stopReason);
  // Some agents end a cancelled turn normally.
  const ended = stop === "cancelled" && dialect.endsOnDenial && state.both;
  if ((stop === "cancelled" && !ended) || turn?.cancelled) return { outcome: "interrupted" };
  if (error) return failedResult(errorFailure(dialect, error));
  if (turn?.failure) return failedResult(turn.failure);
  if (stop === "max_tokens")
    return failedResult(failure("context_overflow", "The answer was cut at the model's output limit."));
  if (stop === "max_turn_requests") {
    return failedResult(
      failure("cancelled", "The agent stopped at its limit of requests in one turn.", "Send a message to continue."),
    );
  }
  if (stop === "refusal") return failedResult(failure("refused", lastMessage(state) ?? "The model declined."));
  const disguised = failureInText(dialect, state, result);
  if (disguised) return failedResult(disguised);
  // Some agents end a turn normally although its last request was refused. Then nothing follows the refusal, and the usage
  // is empty. An empty usage alone proves nothing: local providers report none.
  const isUnused = result.usage !== undefined && !nonZeroUsage(turnUsage(result));
  if (state.retried && (isUnused || !turn?.hasOutput)) return failedResult(state.retried);
  if (turn?.hasOutput || state.prompts[0]?.command) return { outcome: "completed" };
  return failedResult(silenceFailure(turn?.compacting === true));
}

const STOP_REASONS: ReadonlySet<unknown> = new Set([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

/** A turn that ended for a reason that the protocol does not define counts as completed, with a notice. */
function noteUnknownReason({ both }: State, { stopReason }: Fields): Output[] {
  if (!both || STOP_REASONS.has(stopReason)) return [];
  const reason = stopReason === undefined ? "without a stop reason" : `with the unknown reason ${preview(stopReason)}`;
  return [notice("stop_reason", "warning", `The agent ended the turn ${reason}.`)];
}

function failedResult(error: Failure): TurnResult {
  return { outcome: "failed", error };
}

/** A failure that the agent reported as a model message. */
function failureInText(dialect: Dialect, state: State, result: Fields): Failure | undefined {
  const last = lastMessage(state);
  if (!last) return undefined;
  if (state.turn?.broken) return textFailure(dialect, last);
  if (dialect.failureWithoutUsage && turnUsage(result) === undefined && !state.turn?.usage) {
    return textFailure(dialect, last);
  }
  return dialect.failureText?.test(last) ? textFailure(dialect, last) : undefined;
}

function lastMessage(state: State): string | undefined {
  return state.text?.channel === "text" ? state.text.text.trim() : undefined;
}

/** Some agents end a turn normally although every request to the provider failed. */
function silenceFailure(compacting: boolean): Failure {
  if (compacting)
    return failure("context_overflow", "The agent compacted the conversation and then produced no output.");
  const message = "The agent ended the turn without output. Its requests to the model provider probably failed.";
  return failure("unknown", message, "Send the message again. The agent's log may contain the reason.");
}
