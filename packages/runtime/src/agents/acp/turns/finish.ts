import { addUsage, type Failure, failure, type TurnOutcome, type Usage } from "@gantry/protocol";
import type { RpcError } from "../../../framing/json-rpc.ts";
import type { Output, Step } from "../../contract.ts";
import { compact, type Fields, text } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { errorFailure, wordsFailure } from "../failures.ts";
import { event } from "../outputs.ts";
import { type Ending, type Prompt, runSteps, type State, type Turn, type Verdict } from "../state.ts";
import { closeText } from "../updates/texts.ts";
import { toolDenied } from "../updates/tool-end.ts";
import { servedModel, turnUsage, usedSince } from "../wire/usage.ts";
import { begin, taken } from "./begin.ts";
import { countFrame, isCounted, readCount } from "./counting.ts";
import { tellReasons } from "./reasons.ts";
import { mayTrail } from "./trail.ts";

/**
 * The answer to a prompt. A later one than that of the running turn may be turned down, and the turn goes on; answered
 * well, it ends the turn, and the agent has forgotten the earlier one.
 */
export function promptAnswered(dialect: Dialect, state: State, id: string, ending: Ending): Step<State> {
  const index = state.prompts.findIndex((entry) => entry.id === id);
  const prompt = state.prompts[index];
  if (!prompt || index === 0) return turnEnded(dialect, state, ending);
  const well = !ending.error && ending.result.stopReason !== "cancelled";
  return well
    ? turnEnded(dialect, { ...state, prompts: state.prompts.slice(index) }, ending)
    : dropPrompt(state, prompt);
}

/** Version 2 answers a prompt when it has taken it. */
export function promptTaken(state: State, id: string): Step<State> {
  const prompt = state.prompts.find((entry) => entry.id === id);
  if (!prompt || prompt.taken) return [state, []];
  const prompts = state.prompts.map((entry) => (entry === prompt ? { ...entry, taken: true } : entry));
  const inline = state.turn !== undefined;
  const told: Output[] = prompt.message ? [{ kind: "taken", message: prompt.message, inline }] : [];
  return [{ ...state, prompts }, [...taken(prompt), ...told]];
}

export function promptRefused(dialect: Dialect, state: State, id: string, error: RpcError): Step<State> {
  return promptAnswered(dialect, state, id, { result: {}, error });
}

function dropPrompt(state: State, prompt: Prompt): Step<State> {
  const { message } = prompt;
  const prompts = state.prompts.filter((entry) => entry !== prompt);
  const told: Output[] = message ? [{ kind: "taken", message, inline: true }] : [];
  return [{ ...state, prompts }, [...taken(prompt), ...told]];
}

/** The agent says that it is done with the turn. It may say so twice. */
export function turnEnded(dialect: Dialect, state: State, ending: Ending): Step<State> {
  if (state.turn?.trailing) return [state, []];
  return runSteps(
    state,
    (current) => (current.turn ? [current, []] : begin(current, current.prompts[0])),
    (current) =>
      mayTrail(dialect, current)
        ? [{ ...current, turn: { ...current.turn, trailing: ending } }, []]
        : finish(dialect, current, ending),
  );
}

/** Nothing more of a turn that the agent has ended is waited for: its time is over, or something else begins. */
export function trailOver(dialect: Dialect, state: State): Step<State> {
  const { trailing, ...turn } = state.turn ?? {};
  return trailing ? finish(dialect, { ...state, turn }, trailing) : [state, []];
}

function finish(dialect: Dialect, state: State, ending: Ending): Step<State> {
  // The last message stays open until the end: it may be the reason.
  const verdict = judge(dialect, state, ending);
  const wordless = state.reasons !== undefined && verdict.outcome !== "interrupted" && !ending.error;
  return runSteps(
    state,
    closeText,
    (current) => runSteps(current, ...denied(current).map((native) => (open: State) => toolDenied(open, native))),
    (current) => compacted(dialect, current, verdict.outcome),
    (current) => {
      if (wordless) return tellReasons(current, ending.result);
      if (compactsBeside(dialect, current, verdict))
        return [{ ...current, turn: { ...current.turn, waiting: verdict } }, []];
      return isCounted(current) ? count(dialect, current, verdict) : conclude(dialect, current, ending, verdict);
    },
  );
}

/**
 * Was the agent told to compact the conversation, and goes on doing so after it has answered? What is said to it
 * meanwhile would be lost, so the turn lasts until it says that it is done.
 */
function compactsBeside(dialect: Dialect, { prompts, turn }: State, { outcome }: Verdict): boolean {
  const begun = prompts[0]?.compacts === true && turn?.said === true && !turn.compactionOver;
  return begun && outcome === "completed" && tellsCompaction(dialect);
}

function tellsCompaction({ asides }: Dialect): boolean {
  return asides?.some(({ as }) => as === "compacted") === true;
}

/** The turn that waited for the agent's compaction ends with it. */
export function compactionSettled(dialect: Dialect, state: State): Step<State> {
  const { waiting, compactionOver, ...turn } = state.turn ?? {};
  if (!waiting || !compactionOver) return [state, []];
  const next = { ...state, turn };
  return isCounted(next) ? count(dialect, next, waiting) : conclude(dialect, next, { result: {} }, waiting);
}

/** The turn is over, but for what it took: the agent is asked. */
function count(dialect: Dialect, state: State, verdict: Verdict): Step<State> {
  const turn = { ...state.turn, counting: { verdict, said: "" } };
  return [{ ...state, turn }, [countFrame(dialect, state)]];
}

/** The agent has told what the turn took, or will not. */
export function turnCounted(dialect: Dialect, state: State): Step<State> {
  const counting = state.turn?.counting;
  if (!counting) return [state, []];
  const total = readCount(dialect, counting.said);
  const usage = total && usedSince(total, state.total);
  const turn = compact({ ...state.turn, usage });
  return conclude(dialect, compact({ ...state, turn, total: total ?? state.total }), { result: {} }, counting.verdict);
}

function denied(state: State): string[] {
  if (state.turn?.cancelled) return [];
  return Object.entries(state.tools).flatMap(([native, tool]) => (tool.denied ? [native] : []));
}

/** Some agents say when they have compacted the conversation; of the others it is known when they were told to. */
function compacted(dialect: Dialect, state: State, outcome: TurnOutcome): Step<State> {
  if (outcome !== "completed" || tellsCompaction(dialect)) return [state, []];
  if (state.prompts[0]?.compacts) return [state, [event("context.compacted", { trigger: "manual", inferred: true })]];
  return [state, state.turn?.compacting ? [event("context.compacted", { trigger: "auto", inferred: true })] : []];
}

function conclude(dialect: Dialect, state: State, ending: Ending, verdict: Verdict): Step<State> {
  const { turn, prompts, reasons: _, ...rest } = state;
  const told = turnUsage(ending.result);
  const usage = told && dialect.totalUsage ? usedSince(told, state.total) : usageOf(turn, told);
  const withdrawn = Object.keys(state.asks).map(
    (key): Output => ({ kind: "withdrawn", key, reason: "the turn ended" }),
  );
  const finished: Output = compact({
    kind: "finish",
    ...verdict,
    reason: verdict.error?.message,
    usage: someUsage(usage),
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
    total: told ?? state.total,
  });
  return [next, [...withdrawn, finished]];
}

/** What the agent says at the end is all, but of a turn that went on after an end. */
function usageOf(turn: Turn | undefined, told: Usage | undefined): Usage | undefined {
  if (!told) return turn?.usage;
  return turn?.told && turn.usage ? addUsage(turn.usage, told) : told;
}

function someUsage(usage: Usage | undefined): Usage | undefined {
  return usage && usage.input + usage.output > 0 ? usage : undefined;
}

function costOf({ cost, turn }: State): { usd: number; source: "agent" } | undefined {
  if (cost === undefined || turn?.costBefore === undefined || cost <= turn.costBefore) return undefined;
  return { usd: Number((cost - turn.costBefore).toFixed(9)), source: "agent" };
}

function judge(dialect: Dialect, state: State, { result, error }: Ending): Verdict {
  const { turn } = state;
  const stop = text(result.stopReason);
  if (stop === "cancelled" || (turn?.cancelled && (error || !turn.said))) return { outcome: "interrupted" };
  if (error) return failed(errorFailure(dialect, error));
  if (turn?.failure) return failed(turn.failure);
  if (stop === "max_tokens")
    return failed(failure("context_overflow", "The answer was cut at the model's output limit."));
  if (stop === "max_turn_requests") {
    return failed(
      failure("cancelled", "The agent stopped at its own limit of requests in one turn.", "Send a message to go on."),
    );
  }
  if (stop === "refusal") return failed(failure("refused", lastMessage(state) ?? "The model declined."));
  const said = failureSaid(dialect, state, result);
  if (said) return failed(said);
  if (turn?.said || state.prompts[0]?.command) return { outcome: "completed" };
  return failed(silence(turn?.compacting === true));
}

function failed(error: Failure): Verdict {
  return { outcome: "failed", error };
}

/** A failure that the agent dressed as the model's answer. */
function failureSaid(dialect: Dialect, state: State, result: Fields): Failure | undefined {
  const last = lastMessage(state);
  if (!last) return undefined;
  if (state.turn?.broken) return wordsFailure(dialect, last);
  if (dialect.failureWithoutUsage && turnUsage(result) === undefined && !state.turn?.usage) {
    return wordsFailure(dialect, last);
  }
  return dialect.failureText?.test(last) ? wordsFailure(dialect, last) : undefined;
}

function lastMessage(state: State): string | undefined {
  return state.text?.channel === "text" ? state.text.text.trim() : undefined;
}

/** Agents are known to end a turn well whose every request to the provider failed. */
function silence(compacting: boolean): Failure {
  if (compacting)
    return failure("context_overflow", "The agent compacted the conversation and then said nothing more.");
  const message = "The agent ended the turn without a word. Mostly its requests to the model's provider have failed.";
  return failure("unknown", message, "Send the message again; the agent's own log may tell why.");
}
