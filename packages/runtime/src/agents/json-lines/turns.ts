import { addUsage, type Failure, failure, type Usage } from "@gantry/protocol";
import type { Output } from "../contract.ts";
import { compact } from "../fields.ts";
import { categoryOf, isLost, wordsFailure } from "./reading/failures.ts";
import { isUsed } from "./reading/usage.ts";
import type { Pass } from "./talk.ts";
import { closeTexts, nextText, whole } from "./texts.ts";

type Finish = Omit<Extract<Output, { kind: "finish" }>, "kind">;

/** The conversation is open. Said again only with something new. */
export function ready(pass: Pass, { handle, model }: { handle?: string; model?: string }): void {
  const { state } = pass;
  const news = (handle && handle !== state.handle) || (model && model !== state.model);
  state.handle = handle ?? state.handle;
  state.model = model ?? state.model;
  if (news) pass.say(compact({ kind: "ready", handle: state.handle, model: state.model }));
}

/** The agent works. Without effect while it does so already. */
export function begin(pass: Pass): void {
  const { state } = pass;
  if (state.turn === "running") return;
  const { message } = state;
  Object.assign(state, { turn: "running", turns: state.turns + 1, worked: false, done: [], message: undefined });
  pass.say({ kind: "begin", ...(message ? { messages: [message] } : {}) });
  if (message) pass.say({ kind: "taken", message, inline: false });
}

/** The person's words as the agent echoes them: for recordings, where nothing else tells them. */
export function prompted(pass: Pass, text: string): void {
  if (pass.state.turn !== "running" && text.trim() !== "") pass.say({ kind: "prompted", text: text.trimEnd() });
  begin(pass);
}

/** Tokens of one request within the turn. */
export function spend(pass: Pass, usage: Usage): void {
  if (isUsed(usage)) pass.state.usage = pass.state.usage ? addUsage(pass.state.usage, usage) : usage;
}

/** The agent says that it tries again by itself. */
export function retry(
  pass: Pass,
  told: Omit<Extract<Output, { kind: "retry" }>, "kind" | "failure">,
  error?: Failure,
): void {
  pass.say(compact({ kind: "retry", ...told, failure: error }));
}

/**
 * The turn is over: open texts end with it. A turn in which nothing was said or done has failed, whatever the agent
 * calls it. A second end of the same turn is none.
 */
export function finish(pass: Pass, end: Finish): void {
  const { state } = pass;
  if (state.turn === "over") return;
  begin(pass);
  closeTexts(pass);
  const told = end.outcome === "completed" && !state.worked ? silent(end) : end;
  const usage = end.usage && isUsed(end.usage) ? end.usage : state.usage;
  pass.say(compact({ kind: "finish", servedModel: state.model, ...compact(told), usage }));
  Object.assign(state, { turn: "over", tools: {}, done: [], failure: undefined, usage: undefined });
}

const SILENT = "The agent ended the turn without saying or doing anything.";

function silent(end: Finish): Finish {
  return { ...end, outcome: "failed", reason: "no answer", error: failure("unknown", SILENT) };
}

export function fail(pass: Pass, error: Failure, more: Partial<Finish> = {}): void {
  finish(pass, { outcome: "failed", reason: error.message, error, ...more });
}

const KEPT_LINES = 8;
const KEPT_LINE = 300;
const NOISE =
  /^\s*(at |warning:|deprecationwarning)|yolo mode is enabled|ripgrep|256-color|basic terminal|^\[startup\]/i;

/** A line of stderr. Few say something to a person; the last ones explain an end without a word. */
export function complained(pass: Pass, line: string): void {
  const { state } = pass;
  if (line.trim() === "" || NOISE.test(line)) return;
  state.stderr = [...state.stderr, line.slice(0, KEPT_LINE)].slice(-KEPT_LINES);
  if (!state.lost && state.turn === "none" && isLost(line)) lost(pass, line.trim());
}

/** The conversation that was to go on is not there; nothing was started in its place. */
export function lost(pass: Pass, message: string): void {
  pass.state.lost = true;
  pass.say({ kind: "lost", message: message.slice(0, KEPT_LINE) });
}

/** A line of stdout that is no JSON: the answer of a process that prints plain text, or rubbish among JSON lines. */
export function plainLine(pass: Pass, line: string): void {
  const { state } = pass;
  if (state.framed) return void (line.trim() && pass.raw(line, "a line that is not JSON"));
  begin(pass);
  state.plain = state.plain === undefined ? line : `${state.plain}\n${line}`;
}

/** The end of the process is the end of the turn only where nothing else said so. */
export function processEnded(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.turn === "over" || state.lost) return;
  if (state.plain !== undefined) return endPlain(pass, state.plain, code);
  fail(pass, state.failure ?? ending(pass, code, signal), state.failure ? {} : { reason: "crashed" });
}

const SIGNALS: Record<string, string> = { "130": "SIGINT", "137": "SIGKILL", "143": "SIGTERM" };

/** How a process ended that did not finish its turn, with the category that its last words tell. */
export function ending({ state }: Pass, code: number | null, signal: string | null): Failure {
  const by = signal ?? SIGNALS[String(code)];
  const how = by ? `was ended by ${by}` : code === null ? "ended" : `exited with code ${code}`;
  const said = state.stderr.join("\n").trim();
  const category = (by ? undefined : categoryOf(said)) ?? "crashed";
  return failure(category, said ? `The agent ${how}: ${said}` : `The agent ${how} without a result.`);
}

function endPlain(pass: Pass, answer: string, code: number | null): void {
  pass.state.plain = undefined;
  if (code) return fail(pass, wordsFailure([answer, ...pass.state.stderr].join("\n").trim()));
  whole(pass, `plain.${nextText(pass)}`, "text", answer);
  finish(pass, { outcome: "completed" });
}
