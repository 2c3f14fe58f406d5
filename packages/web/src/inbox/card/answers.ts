import type { Answers, InputOption, InputRequest, Question } from "@gantry/protocol";

/** The choices and free text for one question so far. */
export type Reply = { chosen: readonly string[]; text: string };
export type Replies = Readonly<Record<string, Reply>>;

export const noReply: Reply = { chosen: [], text: "" };

/** The reply after an option is checked or unchecked. In a single-answer question this clears the free text. */
export function choose(question: Question, reply: Reply, label: string, on: boolean): Reply {
  if (!question.multi) return { chosen: on ? [label] : [], text: "" };
  const others = reply.chosen.filter((other) => other !== label);
  return { ...reply, chosen: on ? [...others, label] : others };
}

export function write(question: Question, reply: Reply, text: string): Reply {
  return { chosen: question.multi || text === "" ? reply.chosen : [], text };
}

/** The answers in the format of the daemon; `undefined` while a question has none. */
export function answersOf(questions: readonly Question[], replies: Replies): Answers | undefined {
  const answers: Answers = {};
  for (const question of questions) {
    const { chosen, text } = replies[question.id] ?? noReply;
    const own = question.secret ? text : text.trim();
    const all = own === "" ? chosen : [...chosen, own];
    if (all.length === 0) return undefined;
    answers[question.id] = question.multi ? [...all] : (all.at(-1) as string);
  }
  return answers;
}

/**
 * The agent's options that the standard buttons do not cover. The buttons stand for the first option of each effect; a
 * grant for the session is made by the daemon, with its own scope.
 */
export function furtherOptions({ options }: InputRequest): InputOption[] {
  return options.filter((option, index) => {
    if (option.effect === "allow_session") return false;
    if (option.effect === "allow_always" || option.effect === "deny_and_stop") return true;
    return options.findIndex((other) => other.effect === option.effect) !== index;
  });
}
