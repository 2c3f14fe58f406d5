import type { InputAnswer, InputOption, InputRequest } from "@gantry/protocol";
import type { DecoderState } from "./pass.ts";

/** A sent frame that awaits its response: a user message or a setting. */
export type SentFrame = {
  message?: string;
  print?: string;
  field?: "model" | "mode" | "effort";
  value?: string;
  inline?: boolean;
  /** A command that runs without the model. */
  local?: boolean;
};

/** An open request: its tool call, and the agent's options. */
export type OpenRequest = { tool?: string; method?: string; options: InputOption[] };

/** Additional state of a two-way channel. */
export type TwoWayState = DecoderState & {
  ready: boolean;
  /** An interrupt was sent. */
  stopping: boolean;
  /** Number of sent frames, used for unique ids. */
  written: number;
  sent: Record<string, SentFrame>;
  asks: Record<string, OpenRequest>;
};

export const initialTwoWay = { ready: false, stopping: false, written: 0, sent: {}, asks: {} } as const;

const effects: Record<InputAnswer["decision"], InputOption["effect"][]> = {
  allow: ["allow_once", "allow_session", "allow_always"],
  allow_session: ["allow_session", "allow_always", "allow_once"],
  deny: ["deny", "deny_and_stop"],
  cancel: ["deny_and_stop", "deny"],
};

/** The agent's option for an answer: the chosen one, or the first with the decision's effect. */
export function chosenOption(answer: InputAnswer, request: Pick<InputRequest, "options">): string | undefined {
  const named = request.options.find((option) => option.id === answer.option);
  if (named) return named.id;
  const wanted = effects[answer.decision];
  return wanted.map((effect) => request.options.find((option) => option.effect === effect)?.id).find(Boolean);
}

/** The decision for one of the agent's options. */
export function decisionOf(option: string | undefined, { options }: OpenRequest): InputAnswer["decision"] {
  const effect = options.find((entry) => entry.id === option)?.effect;
  if (effect === undefined) return "cancel";
  if (effect === "allow_once") return "allow";
  return effect === "allow_session" || effect === "allow_always" ? "allow_session" : "deny";
}
