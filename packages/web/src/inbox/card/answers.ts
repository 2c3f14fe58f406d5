import type { Answers, InputOption, InputRequest, Question } from "@gantry/protocol";

/** What has been chosen and written for one question so far. */
export type Reply = { chosen: readonly string[]; words: string };
export type Replies = Readonly<Record<string, Reply>>;

export const noReply: Reply = { chosen: [], words: "" };

/** The reply after a choice was made or taken back; one's own words and a single choice exclude each other. */
export function choose(question: Question, reply: Reply, label: string, on: boolean): Reply {
  if (!question.multi) return { chosen: on ? [label] : [], words: "" };
  const others = reply.chosen.filter((other) => other !== label);
  return { ...reply, chosen: on ? [...others, label] : others };
}

export function write(question: Question, reply: Reply, words: string): Reply {
  return { chosen: question.multi || words === "" ? reply.chosen : [], words };
}

/** The answers as the daemon takes them; `undefined` while a question has none. */
export function answersOf(questions: readonly Question[], replies: Replies): Answers | undefined {
  const answers: Answers = {};
  for (const question of questions) {
    const { chosen, words } = replies[question.id] ?? noReply;
    const own = question.secret ? words : words.trim();
    const all = own === "" ? chosen : [...chosen, own];
    if (all.length === 0) return undefined;
    answers[question.id] = question.multi ? [...all] : (all.at(-1) as string);
  }
  return answers;
}

/**
 * Options of the agent that the card's own buttons do not stand for. Of each effect the buttons mean the first; what
 * lasts for the session is the daemon's own, with its scope.
 */
export function furtherOptions({ options }: InputRequest): InputOption[] {
  return options.filter((option, index) => {
    if (option.effect === "allow_session") return false;
    if (option.effect === "allow_always" || option.effect === "deny_and_stop") return true;
    return options.findIndex((other) => other.effect === option.effect) !== index;
  });
}
