import { addUsage, type Failure, failure, type Usage } from "@gantry/protocol";
import type { Output } from "../contract.ts";
import { compact } from "../fields.ts";
import type { Pass } from "./pass.ts";
import { categoryOf, cutMessageFailure, isLost, textFailure } from "./reading/failures.ts";
import { isUsed } from "./reading/usage.ts";
import { closeTexts, completeText, nextText } from "./texts.ts";

type Finish = Omit<Extract<Output, { kind: "finish" }>, "kind">;

/** Reports the open conversation; again only if something changed. */
export function reportReady(pass: Pass, { handle, model }: { handle?: string; model?: string }): void {
  const { state } = pass;
  const news = (handle && handle !== state.handle) || (model && model !== state.model);
  state.handle = handle ?? state.handle;
  state.model = model ?? state.model;
  if (news) pass.emit(compact({ kind: "ready", handle: state.handle, model: state.model }));
}

/** Starts the turn; a no-op while one is running. */
export function beginTurn(pass: Pass): void {
  const { state } = pass;
  if (state.turn === "running") return;
  const { message } = state;
  Object.assign(state, { turn: "running", turns: state.turns + 1, worked: false, done: [], message: undefined });
  pass.emit({ kind: "begin", ...(message ? { messages: [message] } : {}) });
  if (message) pass.emit({ kind: "taken", message, inline: false });
}

/** Reports a prompt that is known only from the agent's echo, in recordings. */
export function reportPrompt(pass: Pass, text: string): void {
  if (pass.state.turn !== "running" && text.trim() !== "") pass.emit({ kind: "prompted", text: text.trimEnd() });
  beginTurn(pass);
}

/** Adds the usage of one request. */
export function addTurnUsage(pass: Pass, usage: Usage): void {
  if (isUsed(usage)) pass.state.usage = pass.state.usage ? addUsage(pass.state.usage, usage) : usage;
}

/** Reports a retry by the agent. */
export function reportRetry(
  pass: Pass,
  details: Omit<Extract<Output, { kind: "retry" }>, "kind" | "failure">,
  error?: Failure,
): void {
  pass.emit(compact({ kind: "retry", ...details, failure: error }));
}

/**
 * Ends the turn and completes its open texts. A turn without any output has failed, whatever the agent reports.
 * Idempotent per turn.
 */
export function finishTurn(pass: Pass, end: Finish): void {
  const { state } = pass;
  if (state.turn === "over") return;
  beginTurn(pass);
  closeTexts(pass);
  const reported = end.outcome === "completed" && !state.worked ? withoutOutput(end) : end;
  const usage = end.usage && isUsed(end.usage) ? end.usage : state.usage;
  pass.emit(compact({ kind: "finish", servedModel: state.model, ...compact(reported), usage }));
  Object.assign(state, { turn: "over", tools: {}, done: [], failure: undefined, usage: undefined });
}

const SILENT = "The agent ended the turn without output.";

function withoutOutput(end: Finish): Finish {
  return { ...end, outcome: "failed", reason: "no output", error: failure("unknown", SILENT) };
}

export function failTurn(pass: Pass, error: Failure, more: Partial<Finish> = {}): void {
  finishTurn(pass, { outcome: "failed", reason: error.message, error, ...more });
}

const STDERR_LINES = 8;
const STDERR_LINE_LENGTH = 300;
const NOISE =
  /^\s*(at |warning:|deprecationwarning)|yolo mode is enabled|ripgrep|256-color|basic terminal|^\[startup\]/i;

/** Records a line of stderr, without known noise. */
export function recordStderr(pass: Pass, line: string): void {
  const { state } = pass;
  if (line.trim() === "" || NOISE.test(line)) return;
  state.stderr = [...state.stderr, line.slice(0, STDERR_LINE_LENGTH)].slice(-STDERR_LINES);
  if (!state.lost && state.turn === "none" && isLost(line)) reportLost(pass, line.trim());
}

/** The conversation to resume does not exist; no other was started. */
export function reportLost(pass: Pass, message: string): void {
  pass.state.lost = true;
  pass.emit({ kind: "lost", message: message.slice(0, STDERR_LINE_LENGTH) });
}

/** Handles a line that is not JSON: plain text output, or garbage among JSON lines. */
export function handlePlainLine(pass: Pass, line: string): void {
  const { state } = pass;
  if (state.framed) return void (line.trim() && pass.raw(line, "a line that is not JSON"));
  beginTurn(pass);
  state.plain = state.plain === undefined ? line : `${state.plain}\n${line}`;
}

/** The exit of the process ends the turn unless it has ended already. */
export function handleProcessEnd(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.turn === "over" || state.lost) return;
  if (state.plain !== undefined) return endPlain(pass, state.plain, code);
  failTurn(pass, state.failure ?? exitFailure(pass, code, signal), state.failure ? {} : { reason: "crashed" });
}

const SIGNALS: Record<string, string> = { "130": "SIGINT", "137": "SIGKILL", "143": "SIGTERM" };

/** The failure of a process that exited during a turn, classified by its stderr. */
export function exitFailure({ state }: Pass, code: number | null, signal: string | null): Failure {
  const by = signal ?? SIGNALS[String(code)];
  const how = by ? `was killed by ${by}` : code === null ? "ended" : `exited with code ${code}`;
  const stderr = state.stderr.join("\n").trim();
  const category = (by ? undefined : categoryOf(stderr)) ?? "crashed";
  return failure(category, stderr ? `The agent ${how}: ${stderr}` : `The agent ${how} without a result.`);
}

function endPlain(pass: Pass, answer: string, code: number | null): void {
  pass.state.plain = undefined;
  const cut = cutMessageFailure(answer);
  if (cut) {
    pass.raw(answer, "lines that are not JSON");
    return failTurn(pass, cut);
  }
  if (code) return failTurn(pass, textFailure([answer, ...pass.state.stderr].join("\n").trim()));
  completeText(pass, `plain.${nextText(pass)}`, "text", answer);
  finishTurn(pass, { outcome: "completed" });
}
