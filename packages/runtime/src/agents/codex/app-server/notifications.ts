import { itemId, type Output, type Step } from "../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import { readReconnect, turnFailure } from "../failures.ts";
import { nativeMode, readControls, readMode } from "../modes.ts";
import { event, notice, raw } from "../outputs.ts";
import { diffFiles, fingerprint } from "../wire/changes.ts";
import { readUsage, usedSince } from "../wire/usage.ts";
import { requestResolved } from "./inputs/requests.ts";
import { endCompaction } from "./items/compaction.ts";
import { isFull, itemCompleted, itemStarted, patchUpdated } from "./items/items.ts";
import { messageDelta, reasoningDelta, retractOpen } from "./items/texts.ts";
import { rateLimits } from "./limits.ts";
import { CHANNEL, MAX_OPEN_TEXTS, type State } from "./state.ts";
import { turnCompleted, turnStarted } from "./turns.ts";

/** `subagent` is the subagent's thread if the notification is not about ours. */
type Handler = (state: State, params: Fields, subagent: string | undefined, frame: unknown) => Step<State>;

/** Handlers of all relevant notifications. */
export const notifications: Record<string, Handler> = {
  "turn/started": (state, params) => turnStarted(state, text(fields(params.turn).id) ?? ""),
  "turn/completed": turnCompleted,
  "turn/plan/updated": planUpdated,
  "turn/diff/updated": diffUpdated,
  "item/started": itemStarted,
  "item/completed": itemCompleted,
  "item/agentMessage/delta": textHandler(messageDelta),
  "item/plan/delta": textHandler(messageDelta),
  "item/reasoning/summaryTextDelta": textHandler((state, params, subagent) =>
    reasoningDelta(state, params, "summary", subagent),
  ),
  "item/reasoning/textDelta": textHandler((state, params, subagent) =>
    reasoningDelta(state, params, "content", subagent),
  ),
  "item/reasoning/summaryPartAdded": ignore,
  "item/commandExecution/outputDelta": outputDelta,
  "item/fileChange/outputDelta": outputDelta,
  "item/fileChange/patchUpdated": patchUpdated,
  "item/commandExecution/terminalInteraction": (state, params) => progress(state, params, { stdin: params.stdin }),
  "item/mcpToolCall/progress": (state, params) => progress(state, params, params.message),
  "item/autoApprovalReview/completed": handleReview,
  "autoApprovalReview/strictReviewRequired": noticeHandler(
    "review",
    "info",
    () => "Every command of this turn is reviewed first.",
  ),
  "serverRequest/resolved": requestResolved,
  "thread/started": ignore,
  "thread/status/changed": statusChanged,
  "thread/settings/updated": (state, params) => settingsUpdated(state, fields(params.threadSettings)),
  "thread/tokenUsage/updated": (state, params) => tokensUpdated(state, fields(params.tokenUsage)),
  "thread/compacted": (state, params) => endCompaction(state, text(params.turnId)),
  "thread/reverted": noticeHandler("history", "info", () => "The agent's history was cut back."),
  "account/rateLimits/updated": (state, params) => rateLimits(state, fields(params.rateLimits)),
  "model/rerouted": changeModel,
  "model/safetyBuffering/updated": (state) => [state, [{ kind: "activity", state: "safety_check" }]],
  "modelProvider/authRecoveryStarted": noticeHandler("auth", "warning", (params) => text(params.message)),
  "modelProvider/authRecoveryCompleted": noticeHandler("auth", "info", (params) => text(params.message)),
  "mcpServer/startupStatus/updated": mcpStartup,
  "hook/completed": hookCompleted,
  error: handleError,
  warning: noticeHandler("warning", "warning", (params) => text(params.message)),
  guardianWarning: noticeHandler("review", "warning", (params) => text(params.message)),
  deprecationNotice: noticeHandler("deprecation", "info", summary),
  configWarning: (state, params) => {
    const severity = /bubblewrap/i.test(text(params.summary) ?? "") ? "info" : "warning";
    return [state, [notice("config", severity, summary(params))]];
  },
  "windows/worldWritableWarning": noticeHandler("sandbox", "warning", () => "Some folders are writable by everyone."),
};

/** Handles a chunk of a text, unless too many are open. The end of a text publishes all of it. */
function textHandler(handle: Handler): Handler {
  return (state, params, subagent, frame) =>
    isFull(state.texts, params.itemId, MAX_OPEN_TEXTS)
      ? [state, [raw(CHANNEL, frame, "too many open texts")]]
      : handle(state, params, subagent, frame);
}

function ignore(state: State): Step<State> {
  return [state, []];
}

function noticeHandler(
  kind: string,
  severity: "info" | "warning",
  textOf: (params: Fields) => string | undefined,
): Handler {
  return (state, params) => [state, [notice(kind, severity, textOf(params) ?? kind)]];
}

function summary(params: Fields): string {
  return [nonBlank(params.summary), nonBlank(params.details)].filter(Boolean).join("\n");
}

function planUpdated(state: State, params: Fields): Step<State> {
  const entries = list(params.plan)
    .map(fields)
    .map((step) => ({
      text: text(step.step) ?? "",
      status: ownValue(planStatuses, text(step.status)) ?? "pending",
    }));
  return [state, [event("plan.updated", compact({ entries, explanation: nonBlank(params.explanation) }))]];
}

const planStatuses: Record<string, "pending" | "in_progress" | "completed"> = {
  pending: "pending",
  inProgress: "in_progress",
  completed: "completed",
};

/** The complete diff of the turn, resent often and mostly unchanged. */
function diffUpdated(state: State, params: Fields): Step<State> {
  const diff = text(params.diff) ?? "";
  const print = fingerprint(diff);
  if (state.diff === print || (state.diff === undefined && diff === "")) return [state, []];
  return [{ ...state, diff: print }, [event("diff.updated", { files: diffFiles(diff) })]];
}

function outputDelta(state: State, params: Fields): Step<State> {
  const native = text(params.itemId) ?? "";
  const piece = text(params.delta);
  if (!piece || !Object.hasOwn(state.tools, native)) return [state, []];
  return [state, [{ kind: "delta", item: itemId(native), channel: "output", text: piece }]];
}

function progress(state: State, params: Fields, value: unknown): Step<State> {
  const native = text(params.itemId) ?? "";
  if (!Object.hasOwn(state.tools, native)) return [state, []];
  return [state, [event("tool.updated", { item: itemId(native), patch: { progress: value } })]];
}

function statusChanged(state: State, params: Fields): Step<State> {
  const status = fields(params.status);
  const flags = list(status.activeFlags);
  const waiting = flags.includes("waitingOnApproval") ? "waiting_for_approval" : "waiting_for_input";
  if (status.type === "systemError") return [state, [{ kind: "activity", state: "error" }]];
  const word = status.type === "active" ? (flags.length > 0 ? waiting : "working") : text(status.type);
  return [state, word ? [{ kind: "activity", state: word }] : []];
}

function settingsUpdated(state: State, settings: Fields): Step<State> {
  const model = nonBlank(settings.model);
  const read = readMode(settings);
  // The collaboration mode is sent with the turn: until then, plan mode looks like another one.
  const mode = state.wanted.asked === "plan" ? "plan" : read;
  const outputs: Output[] = [];
  if (model && state.settings.model && model !== state.settings.model) {
    outputs.push(event("model.changed", { from: state.settings.model, to: model }));
  }
  if (mode && state.settings.mode && mode !== state.settings.mode) {
    const native = nativeMode(settings);
    outputs.push(event("mode.changed", compact({ from: state.settings.mode, to: mode, native })));
  }
  outputs.push({ kind: "controls", values: readControls(settings) });
  const known = compact({ model, mode, effort: nonBlank(settings.effort) });
  const next = { ...state, settings: { ...state.settings, ...known }, serviceTier: nonBlank(settings.serviceTier) };
  return [compact(next), outputs];
}

/** Totals cover the thread. For a resumed thread, the first report's last request marks the start of the turn. */
function tokensUpdated(state: State, usage: Fields): Step<State> {
  const total = readUsage(fields(usage.total));
  const last = fields(usage.last);
  const before = state.total ? state.before : usedSince(total, readUsage(last));
  const used = number(last.totalTokens);
  const next: State = compact({ ...state, total, before, context: used ?? state.context });
  if (used === undefined || used === state.context) return [next, []];
  return [next, [event("context.usage", compact({ used, size: number(usage.modelContextWindow) }))]];
}

function changeModel(state: State, params: Fields): Step<State> {
  const to = nonBlank(params.toModel);
  if (!to) return [state, []];
  const data = compact({ from: nonBlank(params.fromModel), to, reason: nonBlank(params.reason) });
  return [{ ...state, settings: { ...state.settings, model: to } }, [event("model.changed", data)]];
}

function handleError(state: State, params: Fields, subagent: string | undefined): Step<State> {
  const error = fields(params.error);
  const failure = turnFailure(error);
  if (params.willRetry !== true) return [state, [event("error", failure)]];
  const retry = readReconnect(text(error.message) ?? "", error.additionalDetails) ?? { reason: failure.message };
  return runSteps(
    state,
    (current) => retractOpen(current, "the request is sent again", subagent),
    (current) => [current, [{ kind: "retry", ...retry, failure }]],
  );
}

function mcpStartup(state: State, params: Fields): Step<State> {
  if (params.status !== "failed") return [state, []];
  const why = nonBlank(params.error) ?? "it did not start";
  return [state, [notice("mcp", "warning", `MCP server ${text(params.name) ?? ""}: ${why}`)]];
}

function hookCompleted(state: State, params: Fields): Step<State> {
  const run = fields(params.run);
  if (run.status !== "failed" && run.status !== "blocked" && run.status !== "stopped") return [state, []];
  const output = list(run.entries)
    .map((entry) => text(fields(entry).text))
    .filter(Boolean)
    .join("\n");
  const why = nonBlank(run.statusMessage) ?? nonBlank(output) ?? text(run.status) ?? "";
  return [state, [notice("hook", "warning", `Hook ${text(run.eventName) ?? ""}: ${why}`)]];
}

function handleReview(state: State, params: Fields): Step<State> {
  const review = fields(params.review);
  const why = nonBlank(review.rationale);
  const severity = review.status === "approved" ? "info" : "warning";
  const verdict = `Automatic review: ${text(review.status) ?? "done"}`;
  return [state, [notice("review", severity, why ? `${verdict}. ${why}` : verdict)]];
}
