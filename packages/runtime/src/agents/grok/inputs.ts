import type { InputAnswer, Question } from "@gantry/protocol";
import type { ExtensionInput } from "../acp/dialect.ts";
import { itemId } from "../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank, text } from "../fields.ts";

/** A finished plan that awaits approval. Grok reports the mode after the answer. */
export const exitPlanMode: ExtensionInput = {
  request(params) {
    const plan = nonBlank(params.planContent);
    const title = plan?.split("\n").find((line) => line.trim() !== "") ?? "The plan is ready";
    const options = [
      { id: "approved", label: "Approve", effect: "allow_once" as const },
      { id: "cancelled", label: "Keep planning", effect: "deny" as const },
    ];
    const input = {
      item: itemOf(params),
      kind: "plan" as const,
      title: firstLine(title.replace(/^#+\s*/, "")),
      detail: plan,
      options,
    };
    return { input: compact(input), data: {} };
  },
  result(answer) {
    if (answer.decision.startsWith("allow")) return { outcome: "approved" };
    return compact({ outcome: "cancelled", feedback: nonBlank(answer.message) });
  },
  read(result) {
    if (result.outcome === "approved") return { decision: "allow" };
    return compact({ decision: "deny", message: nonBlank(result.feedback) });
  },
};

/** Multiple-choice questions. Answers are labels or free text, by the text of the question. */
export const askUserQuestion: ExtensionInput = {
  request(params) {
    const questions = list(params.questions).map(fields).map(readQuestion);
    const title = questions[0]?.text || "A question";
    return {
      input: compact({ item: itemOf(params), kind: "question", title: firstLine(title), questions }),
      data: {},
    };
  },
  result(answer) {
    if (!answer.decision.startsWith("allow")) return { outcome: "cancelled" };
    const answers = Object.entries(answer.answers ?? {}).map(([question, lines]) => [question, [lines].flat()]);
    return { outcome: "accepted", answers: Object.fromEntries(answers) };
  },
  read(result): InputAnswer {
    if (result.outcome !== "accepted") return { decision: "cancel" };
    const answers = Object.entries(fields(result.answers)).map(([question, lines]) => [
      question,
      [lines].flat().map((line) => text(line) ?? ""),
    ]);
    return { decision: "allow", answers: Object.fromEntries(answers) };
  },
};

/** Grok identifies a question by its text. */
function readQuestion(question: Fields): Question {
  const asked = nonBlank(question.question) ?? "";
  return compact({
    id: asked,
    header: nonBlank(question.header),
    text: asked,
    options: list(question.options)
      .map(fields)
      .map((option) => compact({ label: text(option.label) ?? "", description: nonBlank(option.description) })),
    multi: question.multiSelect === true || question.multi_select === true,
    freeform: true,
    secret: false,
  });
}

function itemOf(params: Fields): string | undefined {
  const native = nonBlank(params.toolCallId);
  return native && itemId(native);
}
