import type { Output, Step } from "../../contract.ts";
import { compact } from "../../fields.ts";
import type { Prompt, State, Turn } from "../state.ts";

/**
 * Starts a turn for the oldest unanswered prompt, if none is running. Without a prompt there is no turn, except in
 * one-sided recordings.
 */
export function ensureTurn(state: State): Step<State> {
  if (state.turn) return [state, []];
  const [prompt] = state.prompts;
  if (!prompt && state.both) return [state, []];
  return beginTurn(state, prompt);
}

/** Starts a turn for `prompt`, if known. */
export function beginTurn(state: State, prompt: Prompt | undefined): Step<State> {
  const { replaying: _, ...rest } = state;
  const turn: Turn = compact({ costBefore: state.cost ?? (state.resumed ? undefined : 0) });
  const prompts = state.prompts.map((entry) => (entry === prompt ? { ...entry, taken: true } : entry));
  const message = prompt?.message;
  const outputs: Output[] = [
    ...(prompt ? acknowledge(prompt) : []),
    { kind: "begin", ...(message ? { messages: [message] } : {}) },
    ...(message ? [{ kind: "taken", message, inline: false } as const] : []),
  ];
  return [{ ...rest, turn, prompts, ended: [] }, outputs];
}

/** The agent produced output or started a tool: the request that failed before was retried with success. */
export function markOutput(state: State): State {
  if (!state.turn || (state.turn.hasOutput && !state.retried)) return state;
  return compact({ ...state, turn: { ...state.turn, hasOutput: true }, retried: undefined });
}

/** Acknowledges the prompt's frame, once. */
export function acknowledge(prompt: Prompt): Output[] {
  return prompt.message && !prompt.taken ? [{ kind: "ack", key: prompt.message }] : [];
}
