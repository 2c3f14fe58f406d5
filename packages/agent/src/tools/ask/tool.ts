import { z } from "zod";
import { type Answer, type Question, type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool, textOutput } from "../define.ts";

const schema = () =>
  z.object({
    questions: z
      .array(
        z.object({
          id: z.string().min(1),
          question: z.string().min(1),
          options: z.array(z.object({ label: z.string().min(1), description: z.string().optional() })).min(1),
          multi: z.boolean().optional().describe("several options may be chosen"),
          recommended: z.number().int().min(0).optional().describe("index of the option that you recommend"),
        }),
      )
      .min(1),
  });

export function askTool(): Tool {
  return defineTool({
    name: "ask",
    label: "Ask",
    description:
      "Asks the person. Use it only for decisions that they alone can make and for facts that you cannot find out. They can always answer in free text.",
    schema,
    concurrency: "exclusive",
    title: ({ questions }) => questions[0]!.question,
    actions: ({ questions }) => {
      const ids = questions.map(({ id }) => id);
      if (new Set(ids).size < ids.length) throw new ToolError("Each question needs a unique id.");
      const beyond = questions.find(
        ({ options, recommended }) => recommended !== undefined && recommended >= options.length,
      );
      if (beyond)
        throw new ToolError(`${beyond.id}: recommended is the index of an option, 0 to ${beyond.options.length - 1}.`);
      return [{ kind: "inner" }];
    },
    run: async ({ questions }, context) => {
      const asked = questions as Question[];
      const answers = await context.ask(asked, context.signal);
      return textOutput(asked.map((question) => answerText(question, answers)).join("\n"), {
        questions: asked,
        answers,
      });
    },
  });
}

function answerText({ id, question }: Question, answers: readonly Answer[]): string {
  const answer = answers.find((one) => one.id === id);
  const parts = [...(answer?.selected ?? []), ...(answer?.other ? [`in free text: ${answer.other}`] : [])];
  return `${id} (${question}): ${parts.join(", ") || "no answer"}`;
}
