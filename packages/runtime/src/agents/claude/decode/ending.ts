import { failure } from "@gantry/protocol";
import { ownValue } from "../../fields.ts";
import { cutMessageFailure } from "../../json-lines/reading/failures.ts";
import { failureInText, isConversationLost } from "../failures.ts";
import { raw } from "../outputs.ts";
import { finishText, openMessage } from "./messages/blocks.ts";
import { conversationLost } from "./result.ts";
import { MAIN, type Pass } from "./state.ts";
import { beginTurn, finish } from "./turn.ts";

const KEPT_LINES = 4;
const KEPT_LINE = 500;

/** Records a line of stderr. The last lines explain a crash. */
export function readStderr(pass: Pass, line: string): void {
  if (line.trim() === "") return;
  pass.state.stderr = [...pass.state.stderr, line.slice(0, KEPT_LINE)].slice(-KEPT_LINES);
  if (isConversationLost(line)) conversationLost(pass, line.trim());
}

/** Handles a line that is not JSON. Before any frame it is the output of a plain text process. */
export function readPlain(pass: Pass, line: string): void {
  const { state } = pass;
  if (state.framed) return pass.emit(raw({ text: line }, "a line that is not JSON"));
  beginTurn(pass);
  state.plain = state.plain === undefined ? line : `${state.plain}\n${line}`;
}

/** Handles the exit of the process, which ends an open turn. */
export function readEnd(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.plain !== undefined) return endPlain(pass, state.plain, code);
  if (state.turn?.stopping) return finish(pass, { outcome: "interrupted", reason: "process_ended" });
  if (!state.turn && !state.prompted) return endIdle(pass, code, signal);
  const message = describe(pass, code, signal);
  const category = /Error parsing streaming input line/.test(message) ? "protocol" : "crashed";
  finish(pass, { outcome: "failed", reason: "process_ended", error: failure(category, message) });
}

/** An exit between turns is normal, unless the process failed to start. */
function endIdle(pass: Pass, code: number | null, signal: string | null): void {
  const { state } = pass;
  if (state.ready || state.lost || !code || state.turns > 0) return;
  const message = describe(pass, code, signal);
  pass.event("error", failureInText(state.stderr.join("\n")) ?? failure("crashed", message));
}

function endPlain(pass: Pass, answer: string, code: number | null): void {
  pass.state.plain = undefined;
  const cut = cutMessageFailure(answer);
  if (cut) {
    pass.emit(raw({ text: answer }, "lines that are not JSON"));
    return finish(pass, { outcome: "failed", reason: "error", error: cut });
  }
  const known = failureInText(answer);
  if (code || (code === null && known && answer.length < KEPT_LINE)) {
    const error = known ?? failure("unknown", answer);
    return finish(pass, { outcome: "failed", reason: "error", error });
  }
  openMessage(pass, MAIN, "plain");
  const item = finishText(pass, MAIN, "text", answer);
  if (item) pass.event("message.done", { item, text: answer });
  finish(pass, { outcome: "completed" });
}

const SIGNALS: Record<string, string> = { "130": "SIGINT", "137": "SIGKILL", "143": "SIGTERM" };

function describe(pass: Pass, code: number | null, signal: string | null): string {
  const by = signal ?? ownValue(SIGNALS, String(code));
  const how = by ? `was ended by ${by}` : code === null ? "ended" : `exited with code ${code}`;
  const stderr = pass.state.stderr.join("\n").trim();
  return stderr ? `Claude Code ${how}: ${stderr}` : `Claude Code ${how} without a result.`;
}
