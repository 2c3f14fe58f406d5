import type { Usage } from "@gantry/protocol";
import { compact, count, type Fields, fields, firstLine, nonBlank, number, text } from "../../fields.ts";
import { endTool, startTool } from "../../json-lines/calls.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import { readUsage } from "../../json-lines/reading/usage.ts";
import type { Pass } from "../../json-lines/talk.ts";
import { closeTexts, nextText, stream, whole } from "../../json-lines/texts.ts";
import { begin, fail, finish, prompted, ready, retry } from "../../json-lines/turns.ts";

/** A line of `--output-format stream-json`. Texts come in pieces without a name; whatever else comes ends the text. */
export function line(pass: Pass, said: Fields, frame: unknown): void {
  switch (said.type) {
    case "init":
      return ready(pass, { handle: nonBlank(said.session_id), model: nonBlank(said.model) });
    case "message":
      return message(pass, said);
    case "tool_use":
      closeTexts(pass);
      return called(pass, said);
    case "tool_result":
      return answered(pass, said);
    case "error":
      return complained(pass, said);
    case "result":
      return result(pass, said);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function message(pass: Pass, said: Fields): void {
  const content = text(said.content) ?? "";
  if (said.role === "user") return prompted(pass, content);
  begin(pass);
  const { state } = pass;
  if (Object.keys(state.texts).length === 0) nextText(pass);
  if (said.delta === true) return stream(pass, String(state.count), "text", content);
  whole(pass, String(state.count), "text", content);
}

function called(pass: Pass, said: Fields): void {
  begin(pass);
  startTool(pass, text(said.tool_id) ?? "", { name: nonBlank(said.tool_name) ?? "tool", input: said.parameters });
}

function answered(pass: Pass, said: Fields): void {
  const failed = said.status === "error";
  const output = text(said.output) ?? text(fields(said.error).message);
  endTool(pass, text(said.tool_id) ?? "", { status: failed ? "error" : "ok", ...(output ? { output } : {}) });
}

/** An error that the result, which follows, may not repeat. */
function complained(pass: Pass, said: Fields): void {
  const error = wordsFailure(text(said.message) ?? "");
  if (said.severity === "warning") return pass.notice("agent", "warning", error.message);
  pass.state.failure = error;
}

function result(pass: Pass, said: Fields): void {
  const stats = fields(said.stats);
  const more = compact({
    usage: usageOf(stats),
    durationMs: number(stats.duration_ms),
    servedModel: servedModel(fields(stats.models)) ?? pass.state.model,
  });
  if (said.status !== "error") return finish(pass, { outcome: "completed", ...more });
  const message = text(fields(said.error).message);
  fail(pass, message ? wordsFailure(message) : (pass.state.failure ?? wordsFailure("")), more);
}

/** The model that did most: with `auto` a small one decides first which one that is. */
function servedModel(models: Fields): string | undefined {
  const tokens = (model: string) => count(fields(models[model]).total_tokens);
  return Object.keys(models).sort((a, b) => tokens(b) - tokens(a))[0];
}

/** Input with what came from the cache, and beside the output the thoughts, which only the total tells. */
function usageOf(stats: Fields): Usage | undefined {
  if (number(stats.input_tokens) === undefined) return undefined;
  const usage = readUsage(stats, false);
  const thoughts = Math.max(0, count(stats.total_tokens) - usage.input - usage.output);
  return { ...usage, output: usage.output + thoughts, reasoning: thoughts };
}

/** Gemini tells of its retries, ten by default, only on stderr. */
export function error(pass: Pass, said: string): void {
  const [, attempt, status] = /^Attempt (\d+) failed(?: with status (\d+))?.*Retrying/.exec(said) ?? [];
  if (!attempt || pass.state.turn !== "running") return;
  const told = wordsFailure(said, status ? Number(status) : undefined);
  pass.state.failure = told;
  retry(pass, { attempt: Number(attempt), reason: firstLine(said) }, told);
}

/** The one document of `--output-format json`. */
export function document(pass: Pass, said: Fields): void {
  ready(pass, { handle: nonBlank(said.session_id) });
  const error = text(fields(said.error).message);
  if (error !== undefined) return fail(pass, wordsFailure(error));
  whole(pass, nextText(pass), "text", text(said.response) ?? "");
  const models = Object.entries(fields(fields(said.stats).models));
  const { prompt, candidates, cached, total } = fields(fields(models[0]?.[1]).tokens);
  const usage = usageOf({ input_tokens: prompt, output_tokens: candidates, cached, total_tokens: total });
  finish(pass, compact({ outcome: "completed", usage, servedModel: models[0]?.[0] }));
}
