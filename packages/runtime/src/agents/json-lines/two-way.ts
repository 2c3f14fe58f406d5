import type { InputAnswer, InputOption, InputRequest } from "@gantry/protocol";
import type { Talk } from "./talk.ts";

/** A frame of ours that waits for its answer: a message of the user, or a setting. */
export type Sent = {
  message?: string;
  print?: string;
  field?: "model" | "mode" | "effort";
  value?: string;
  inline?: boolean;
  /** A command that the agent runs without its model. */
  local?: boolean;
};

/** An open question: the tool call that it is about, and what the agent calls the answers. */
export type Ask = { tool?: string; method?: string; options: InputOption[] };

/** What a talk in both directions remembers besides. */
export type TwoWay = Talk & {
  ready: boolean;
  /** We asked it to stop. */
  stopping: boolean;
  /** How many frames of ours went in: makes the ids of the next ones unique. */
  written: number;
  sent: Record<string, Sent>;
  asks: Record<string, Ask>;
};

export const quietStart = { ready: false, stopping: false, written: 0, sent: {}, asks: {} } as const;

const effects: Record<InputAnswer["decision"], InputOption["effect"][]> = {
  allow: ["allow_once", "allow_session", "allow_always"],
  allow_session: ["allow_session", "allow_always", "allow_once"],
  deny: ["deny", "deny_and_stop"],
  cancel: ["deny_and_stop", "deny"],
};

/** The agent's own name for an answer: the option that the person chose, or the first that means the decision. */
export function chosen(answer: InputAnswer, request: Pick<InputRequest, "options">): string | undefined {
  const named = request.options.find((option) => option.id === answer.option);
  if (named) return named.id;
  const wanted = effects[answer.decision];
  return wanted.map((effect) => request.options.find((option) => option.effect === effect)?.id).find(Boolean);
}

/** The decision that one of the agent's options means. */
export function decisionOf(option: string | undefined, { options }: Ask): InputAnswer["decision"] {
  const effect = options.find((entry) => entry.id === option)?.effect;
  if (effect === undefined) return "cancel";
  if (effect === "allow_once") return "allow";
  return effect === "allow_session" || effect === "allow_always" ? "allow_session" : "deny";
}
