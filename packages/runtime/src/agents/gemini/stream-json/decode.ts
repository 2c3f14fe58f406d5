import type { Usage } from "@gantry/protocol";
import { compact, count, type Fields, fields, firstLine, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import { closeTexts, completeText, nextText, streamText } from "../../json-lines/texts.ts";
import { beginTurn, failTurn, finishTurn, reportPrompt, reportReady, reportRetry } from "../../json-lines/turns.ts";

/** Decodes a line of `--output-format stream-json`. Text chunks have no id; any other line completes the text. */
export function line(pass: Pass, line: Fields, frame: unknown): void {
  switch (line.type) {
    case "init":
      return reportReady(pass, { handle: nonBlank(line.session_id), model: nonBlank(line.model) });
    case "message":
      return message(pass, line);
    case "tool_use":
      closeTexts(pass);
      return startCall(pass, line);
    case "tool_result":
      return endCall(pass, line);
    case "error":
      return recordError(pass, line);
    case "result":
      return result(pass, line);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function message(pass: Pass, line: Fields): void {
  const content = text(line.content) ?? "";
  if (line.role === "user") return reportPrompt(pass, content);
  beginTurn(pass);
  const { state } = pass;
  if (Object.keys(state.texts).length === 0) nextText(pass);
  if (line.delta === true) return streamText(pass, String(state.count), "text", content);
  completeText(pass, String(state.count), "text", content);
}

function startCall(pass: Pass, line: Fields): void {
  beginTurn(pass);
  startTool(pass, text(line.tool_id) ?? "", { name: nonBlank(line.tool_name) ?? "tool", input: line.parameters });
}

function endCall(pass: Pass, line: Fields): void {
  const failed = line.status === "error";
  const output = text(line.output) ?? text(fields(line.error).message);
  endTool(pass, text(line.tool_id) ?? "", { status: failed ? "error" : "ok", ...(output ? { output } : {}) });
}

/** Records an error that the result may not repeat. */
function recordError(pass: Pass, line: Fields): void {
  const error = textFailure(text(line.message) ?? "");
  if (line.severity === "warning") return pass.notice("agent", "warning", error.message);
  pass.state.failure = error;
}

function result(pass: Pass, line: Fields): void {
  const stats = fields(line.stats);
  const more = compact({
    usage: usageOf(stats),
    durationMs: number(stats.duration_ms),
    servedModel: servedModel(fields(stats.models)) ?? pass.state.model,
  });
  if (line.status !== "error") return finishTurn(pass, { outcome: "completed", ...more });
  const message = text(fields(line.error).message);
  failTurn(pass, message ? textFailure(message) : (pass.state.failure ?? textFailure("")), more);
}

/** The model with the most usage: `auto` first asks a small model to choose. */
function servedModel(models: Fields): string | undefined {
  const tokens = (model: string) => count(fields(models[model]).total_tokens);
  return Object.keys(models).sort((a, b) => tokens(b) - tokens(a))[0];
}

/** Input includes cached tokens; thoughts are separate and only part of the total. */
function usageOf(stats: Fields): Usage | undefined {
  if (number(stats.input_tokens) === undefined) return undefined;
  const usage = readUsage(stats, false);
  const thoughts = Math.max(0, count(stats.total_tokens) - usage.input - usage.output);
  return { ...usage, output: usage.output + thoughts, reasoning: thoughts };
}

/** Gemini reports retries (ten by default) only on stderr. */
export function error(pass: Pass, line: string): void {
  const [, attempt, status] = /^Attempt (\d+) failed(?: with status (\d+))?.*Retrying/.exec(line) ?? [];
  if (!attempt || pass.state.turn !== "running") return;
  const reported = textFailure(line, status ? Number(status) : undefined);
  pass.state.failure = reported;
  reportRetry(pass, { attempt: Number(attempt), reason: firstLine(line) }, reported);
}

/** Decodes the single document of `--output-format json`. */
export function document(pass: Pass, line: Fields): void {
  reportReady(pass, { handle: nonBlank(line.session_id) });
  const error = text(fields(line.error).message);
  if (error !== undefined) return failTurn(pass, textFailure(error));
  completeText(pass, nextText(pass), "text", text(line.response) ?? "");
  const models = Object.entries(fields(fields(line.stats).models));
  const { prompt, candidates, cached, total } = fields(fields(models[0]?.[1]).tokens);
  const usage = usageOf({ input_tokens: prompt, output_tokens: candidates, cached, total_tokens: total });
  finishTurn(pass, compact({ outcome: "completed", usage, servedModel: models[0]?.[0] }));
}
