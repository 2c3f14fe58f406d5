import type { Answers, InputAnswer, InputRequest } from "@gantry/protocol";
import { type AskOptions, askLine, textWidth } from "@gantry/terminal";
import type { Output } from "../program/output.ts";
import { type Choice, choiceOf, choicesOf, editableLine, editedInput, questionReply } from "./reply.ts";

/** Gets an answer to an input; `undefined` if there is none. The signal withdraws the question. */
export type Asker = (input: InputRequest, signal: AbortSignal) => Promise<InputAnswer | undefined>;

/** Asks the user at the terminal. The transcript has already shown the question; this adds the choices. */
export function terminalAsker(output: Output): Asker {
  const ask = (question: string, options: AskOptions) => askLine(output.streams, question, options);
  return (input, signal) => (input.questions.length > 0 ? askQuestions(input, signal) : askChoice(input, signal));

  async function askChoice(input: InputRequest, signal: AbortSignal): Promise<InputAnswer | undefined> {
    const choices = choicesOf(input);
    output.print(choiceLines(choices, output));
    for (;;) {
      const line = await ask(`${output.paint.yellow("?")} `, { signal });
      if (line === undefined) return undefined;
      const choice = choiceOf(choices, line);
      if (!choice) {
        output.print(output.paint.dim(`  type one of ${choices.map(({ key }) => key).join(", ")}`));
        continue;
      }
      const answer = await complete(input, choice, signal);
      if (answer || signal.aborted) return answer;
    }
  }

  async function complete(input: InputRequest, choice: Choice, signal: AbortSignal): Promise<InputAnswer | undefined> {
    if (choice.more === "message") {
      const message = await ask("  message to the agent: ", { signal });
      return message === undefined ? undefined : { ...choice.answer, message };
    }
    if (choice.more !== "edit") return choice.answer;
    const line = await ask("  edit: ", { signal, prefill: editableLine(input) });
    const edits = line === undefined ? undefined : editedInput(input, line);
    if (line !== undefined && !edits)
      output.print(output.paint.dim("  that is not valid input for the tool; nothing was sent"));
    return edits && { ...choice.answer, edits };
  }

  async function askQuestions(input: InputRequest, signal: AbortSignal): Promise<InputAnswer | undefined> {
    output.print(output.paint.dim("  type a number or your own text; /deny to decline"));
    const answers: Answers = {};
    for (const question of input.questions) {
      const label = question.header ?? (input.questions.length > 1 ? question.text : "answer");
      let reply: string | string[] | undefined;
      while (reply === undefined) {
        const line = await ask(`${output.paint.yellow("?")} ${label}: `, { signal, secret: question.secret });
        if (line === undefined) return undefined;
        if (line.trim() === "/deny") return { decision: "deny" };
        reply = questionReply(question, line);
      }
      answers[question.id] = reply;
    }
    return { decision: "allow", answers };
  }
}

/** Allows everything; questions get their first option. */
export const allowingAsker: Asker = async (input) => {
  const answers = input.questions.map((question) => [question.id, question.options[0]?.label ?? "yes"]);
  return { decision: "allow", ...(answers.length > 0 ? { answers: Object.fromEntries(answers) } : {}) };
};

/** The ways to answer: in one line where that fits, otherwise below each other. */
export function choiceLines(choices: readonly Choice[], { paint, width }: Pick<Output, "paint" | "width">): string[] {
  const shown = choices.map(({ key, label }) => `${paint.bold(key)} ${label}`);
  const line = `  ${shown.join(paint.dim(" · "))}`;
  const room = width?.() ?? 120;
  return textWidth(line) < room ? [line] : shown.map((choice) => `  ${choice}`);
}
