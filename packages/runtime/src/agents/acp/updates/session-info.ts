import type { Step } from "../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  fingerprint,
  list,
  nonBlank,
  number,
  ownValue,
  wholeNumber,
} from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { textFailure } from "../failures.ts";
import { event } from "../outputs.ts";
import type { State } from "../state.ts";
import { ensureTurn } from "../turns/begin.ts";
import { closeText } from "./texts.ts";

const planStatuses: Record<string, "pending" | "in_progress" | "completed"> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
};
const priorities: Record<string, "low" | "medium" | "high"> = { low: "low", medium: "medium", high: "high" };

/** `plan` of version 1, `plan_update` of version 2 (whose entries may be one level deeper). */
export function handlePlan(state: State, update: Fields): Step<State> {
  if (state.replaying) return [state, []];
  const found = Array.isArray(update.entries) ? update.entries : list(fields(update.plan).entries);
  const entries = found.map(fields).map((entry) =>
    compact({
      text: nonBlank(entry.content) ?? nonBlank(entry.text) ?? "",
      status: ownValue(planStatuses, nonBlank(entry.status)) ?? "pending",
      priority: ownValue(priorities, nonBlank(entry.priority)),
    }),
  );
  return runSteps(state, ensureTurn, closeText, (current) => [
    compact({ ...current, turn: current.turn && { ...current.turn, hasOutput: true } }),
    [event("plan.updated", { entries })],
  ]);
}

/** Agents resend the list, mostly unchanged. */
export function handleCommands(dialect: Dialect, state: State, update: Fields): Step<State> {
  const listed = list(update.availableCommands)
    .map(fields)
    .flatMap((command) => {
      const name = nonBlank(command.name);
      const hint = nonBlank(fields(command.input).hint);
      return name ? [compact({ name, description: nonBlank(command.description), hint })] : [];
    });
  const isListed = (command: string | undefined) => listed.some(({ name }) => name === command);
  const found = [...listed, ...unlistedCommands(dialect).filter(({ name }) => !isListed(name))];
  const print = fingerprint(JSON.stringify(found));
  if (print === state.commands) return [state, []];
  const next: State = {
    ...state,
    commands: print,
    counts: isListed(dialect.tokens?.command) || undefined,
  };
  return [compact(next), [event("commands.changed", { list: found })]];
}

/** A command that the agent supports but does not list, or not in every version. */
function unlistedCommands(dialect: Dialect): { name: string; description: string }[] {
  if (!dialect.unlisted || !dialect.compact) return [];
  return [{ name: dialect.compact, description: "Compact the conversation" }];
}

/** Handles `usage_update`: context usage, and the conversation's cost so far. */
export function handleUsage(state: State, update: Fields): Step<State> {
  const used = wholeNumber(update.used);
  const size = wholeNumber(update.size) || undefined;
  const cost = fields(update.cost).currency === "USD" ? number(fields(update.cost).amount) : undefined;
  const model = nonBlank(fields(update._meta)["_claude/model"]);
  const turn = state.turn && compact({ ...state.turn, model: model ?? state.turn.model });
  const next: State = compact({ ...state, turn, cost: cost ?? state.cost });
  const print = `${used}/${size}`;
  // Zero is sent for interrupted turns and is not a measurement.
  if (!used || state.replaying || print === state.context) return [next, []];
  return [{ ...next, context: print }, [event("context.usage", compact({ used, size }))]];
}

/** Titles are ignored, because Gantry names sessions. Vendor metadata may concern the turn. */
export function handleSessionInfo(dialect: Dialect, state: State, update: Fields): Step<State> {
  const { error, threadStatus } = fields(fields(update._meta).codex);
  const details = fields(error);
  const message = nonBlank(details.additionalDetails) ?? nonBlank(details.message);
  if (message && details.willRetry === true) {
    const [, attempt, max] = /(\d+)\/(\d+)/.exec(nonBlank(details.message) ?? "") ?? [];
    const tries = attempt && max ? { attempt: Number(attempt), max: Number(max) } : {};
    return [state, [{ kind: "retry", ...tries, reason: message, failure: textFailure(dialect, message) }]];
  }
  if (message && state.turn) return [{ ...state, turn: { ...state.turn, failure: textFailure(dialect, message) } }, []];
  if (fields(threadStatus).type !== "systemError" || !state.turn) return [state, []];
  return [{ ...state, turn: { ...state.turn, broken: true } }, []];
}
