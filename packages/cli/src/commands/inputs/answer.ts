import type { Answers, InputAnswer, InputRequest } from "@gantry/protocol";
import { resolveInput } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import { decisionOf, questionReply } from "../../follow/reply.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type AnswerFlags = {
  session: boolean;
  option?: string;
  message?: string;
  edit?: Record<string, unknown>;
  answer?: string[];
};
export type Verb = "allow" | "deny" | "cancel";

/** Answers a pending input. */
export default async function answer(this: Context, flags: AnswerFlags, name: string, verb: Verb): Promise<void> {
  const { output } = this;
  if (flags.session && verb !== "allow") throw usageError("--session goes with allow only.");
  const client = await connect(this);
  const input = await resolveInput(client, name);
  const body = answerBody(input, flags, verb);
  const done = await client.call("answerInput", { params: { id: input.id }, body });
  if (output.json) return output.data(done);
  const scope = done.decision === "allow_session" && input.scope ? ` for this session: ${input.scope.label}` : "";
  const word =
    { allow: "allowed", allow_session: "allowed", deny: "denied", cancel: "cancelled" }[done.decision] ?? done.decision;
  output.print(`${word}${scope} · ${input.title}`);
}

export function allow(this: Context, flags: AnswerFlags, name: string): Promise<void> {
  return answer.call(this, flags, name, "allow");
}

export function deny(this: Context, flags: Pick<AnswerFlags, "message" | "option">, name: string): Promise<void> {
  return answer.call(this, { ...flags, session: false }, name, "deny");
}

/** The answer that flags and verb make, checked against what was asked. Throws a usage error. */
export function answerBody(input: InputRequest, flags: AnswerFlags, verb: Verb): InputAnswer {
  const answers = answersOf(input, flags.answer ?? []);
  const option = flags.option === undefined ? undefined : optionOf(input, flags.option);
  const open = input.questions.filter((question) => answers[question.id] === undefined);
  if (verb === "allow" && open.length > 0 && !option) {
    const flagsNeeded = open.map((question) => `--answer ${question.id}=…`).join(" ");
    throw usageError(
      `The question is open: ${open.map((question) => question.text).join(" / ")}`,
      `Add ${flagsNeeded}`,
    );
  }
  const plain = verb === "allow" && flags.session ? "allow_session" : verb;
  return {
    decision: option ? decisionOf(option) : plain,
    ...(option ? { option: option.id } : {}),
    ...(flags.message === undefined ? {} : { message: flags.message }),
    ...(flags.edit ? { edits: flags.edit } : {}),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
  };
}

function optionOf(input: InputRequest, name: string) {
  const option = input.options.find((one) => one.id === name || one.label.toLowerCase() === name.toLowerCase());
  if (option) return option;
  const offered = input.options.map((one) => one.id).join(", ") || "none";
  throw usageError(`\`${name}\` is not an option of this request. Options: ${offered}.`);
}

/** `q=a` pairs by question; a bare answer is for the only question there is. */
function answersOf(input: InputRequest, pairs: readonly string[]): Answers {
  const answers: Answers = {};
  for (const pair of pairs) {
    const [id, value] = /^[^=]+=/.test(pair) ? split(pair) : [input.questions[0]?.id ?? "", pair];
    const question = input.questions.find((one) => one.id === id);
    if (!question || (input.questions.length > 1 && !pair.includes("="))) {
      const known = input.questions.map((one) => one.id).join(", ") || "none";
      throw usageError(`\`${pair}\` is not a question of this request. Questions: ${known}.`);
    }
    const reply = questionReply(question, value);
    if (reply === undefined) {
      throw usageError(
        `\`${value}\` is not an answer to "${question.text}".`,
        `One of: ${question.options.map((one) => one.label).join(", ")}`,
      );
    }
    answers[question.id] = reply;
  }
  return answers;
}

function split(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}
