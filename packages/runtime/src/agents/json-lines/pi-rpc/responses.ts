import { compact, count, type Fields, fields, nonBlank, number, own, without } from "../../fields.ts";
import { wordsFailure } from "../reading/failures.ts";
import type { Pass } from "../talk.ts";
import { fail, ready } from "../turns.ts";
import { commands, handledLocally } from "./commands.ts";
import { compactionEnded, settle } from "./ending.ts";
import { spent } from "./messages.ts";
import { modelId, readModels } from "./models.ts";
import type { PiState } from "./state.ts";

/** The answer to a request of ours, or of whoever made the recording. */
export function responded(pass: Pass<PiState>, said: Fields, frame: unknown): void {
  const { state } = pass;
  const id = nonBlank(said.id);
  if (id) pass.say({ kind: "ack", key: id });
  const data = fields(said.data);
  const error = said.success === false ? (nonBlank(said.error) ?? "The agent refused.") : undefined;
  const sent = own(state.sent, id);
  switch (said.command) {
    case "get_state":
      if (state.waiting === "doubt") settle(pass);
      return error ? undefined : opened(pass, data);
    case "get_available_models":
      return models(pass, data.models);
    case "get_commands":
      return error ? undefined : commands(pass, data.commands);
    case "get_session_stats":
      return context(pass, fields(data.contextUsage));
    case "prompt":
      if (sent?.field) return applied(pass, id ?? "", data, error);
      if (sent?.local || data.agentInvoked === false) return handledLocally(pass, id);
      return error ? refused(pass, id ?? "", error) : undefined;
    case "steer":
    case "follow_up":
      return error ? refused(pass, id ?? "", error) : undefined;
    case "set_model":
    case "set_mode":
    case "set_thinking_level":
      return applied(pass, id ?? "", data, error);
    case "compact":
      if (id === undefined || id !== state.compaction) return; // Its events have told what became of it.
      spent(pass, fields(data.usage));
      return compactionEnded(pass, data, error);
    default:
      if (error && !sent) pass.raw(frame, "an error for a request that is not ours");
  }
}

/** The conversation as the agent has it: it is open from now on. */
function opened(pass: Pass<PiState>, data: Fields): void {
  const first = !pass.state.ready;
  const handle = named(pass, nonBlank(data.sessionId));
  const model = modelId(fields(data.model));
  pass.state.ready = true;
  pass.state.window = number(fields(data.model).contextWindow) ?? pass.state.window;
  if (first && handle === pass.state.handle && model === pass.state.model)
    pass.say(compact({ kind: "ready", handle, model }));
  ready(pass, { handle, model });
  context(pass, fields(data.contextUsage));
}

/** The conversation's id, where it can be resumed by it. */
export function named({ state }: Pass<PiState>, id: string | undefined): string | undefined {
  if (state.resumed || id === state.handle) return id;
  state.unsaved = id;
  return undefined;
}

function models(pass: Pass<PiState>, value: unknown): void {
  const found = readModels(value);
  if (pass.state.ready && found.length > 0) pass.say({ kind: "ready", models: found });
}

function context(pass: Pass<PiState>, usage: Fields): void {
  if (number(usage.tokens) === undefined) return;
  const size = number(usage.contextWindow) === undefined ? undefined : count(usage.contextWindow);
  pass.event("context.usage", compact({ used: count(usage.tokens), size }));
}

/** A message that the agent does not take. While it works on another one, ours goes back to the queue. */
function refused(pass: Pass<PiState>, id: string, error: string): void {
  const { state } = pass;
  const sent = own(state.sent, id);
  state.sent = without(state.sent, id);
  if (state.turn === "running") {
    if (sent?.message) pass.say({ kind: "dropped", message: sent.message, reason: error });
    return;
  }
  state.message = sent?.message;
  state.turn = "none";
  fail(pass, wordsFailure(error));
}

function applied(pass: Pass<PiState>, id: string, data: Fields, error: string | undefined): void {
  const { state } = pass;
  const sent = own(state.sent, id);
  state.sent = without(state.sent, id);
  const { field, value = "" } = sent ?? {};
  if (!field) return;
  pass.say(compact({ kind: "applied", field, value, ok: !error, message: error }));
  const model = field === "model" ? modelId(data) : undefined;
  if (model) state.window = number(data.contextWindow) ?? state.window;
  if (!model || model === state.model) return;
  pass.event("model.changed", compact({ from: state.model, to: model }));
  state.model = model;
}
