import type { Output, Step } from "../../contract.ts";
import { compact } from "../../fields.ts";
import type { Prompt, State, Turn } from "../state.ts";

/**
 * The agent shows that it works: on the oldest prompt that it has not answered. Without a prompt there is no turn, but
 * in a recording that holds only the agent's side.
 */
export function begun(state: State): Step<State> {
  if (state.turn) return [state, []];
  const [prompt] = state.prompts;
  if (!prompt && state.both) return [state, []];
  return begin(state, prompt);
}

/** A turn begins; `prompt` is what it is about, where that is known. */
export function begin(state: State, prompt: Prompt | undefined): Step<State> {
  const { replaying: _, ...rest } = state;
  const turn: Turn = compact({ costBefore: state.cost ?? (state.resumed ? undefined : 0) });
  const prompts = state.prompts.map((entry) => (entry === prompt ? { ...entry, taken: true } : entry));
  const message = prompt?.message;
  const outputs: Output[] = [
    ...(prompt ? taken(prompt) : []),
    { kind: "begin", ...(message ? { messages: [message] } : {}) },
    ...(message ? [{ kind: "taken", message, inline: false } as const] : []),
  ];
  return [{ ...rest, turn, prompts, ended: [] }, outputs];
}

/** The agent has the frame with this prompt. */
export function taken(prompt: Prompt): Output[] {
  return prompt.message && !prompt.taken ? [{ kind: "ack", key: prompt.message }] : [];
}
