import type { InputAnswer, Question } from "@gantry/protocol";
import type { Extension, ExtensionInput } from "../acp/dialect.ts";
import { event, notice } from "../acp/outputs.ts";
import type { State } from "../acp/state.ts";
import { ensureTurn } from "../acp/turns/begin.ts";
import { handlePlan } from "../acp/updates/session-info.ts";
import { itemId, type Step } from "../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank, text } from "../fields.ts";
import { runSteps } from "../steps.ts";

/** Multiple-choice questions. Answers use option ids; free text is not supported. */
const askQuestion: ExtensionInput = {
  request(params) {
    const questions = list(params.questions).map(fields);
    const title = nonBlank(params.title) ?? nonBlank(questions[0]?.prompt) ?? "A question";
    const ids = questions.map((question) => [text(question.id) ?? "", optionIds(question)]);
    return {
      input: compact({
        item: itemOf(params),
        kind: "question",
        title: firstLine(title),
        questions: questions.map(readQuestion),
      }),
      data: Object.fromEntries(ids),
    };
  },
  result(answer, data) {
    if (answer.decision === "cancel") return outcome("cancelled");
    if (!answer.decision.startsWith("allow")) return outcome("skipped", { reason: answer.message });
    const answers = Object.entries(answer.answers ?? {}).map(([questionId, line]) => {
      const ids = fields(data[questionId]);
      return { questionId, selectedOptionIds: [line].flat().map((label) => text(ids[label]) ?? label) };
    });
    return outcome("answered", { answers });
  },
  read(result, data) {
    const line = fields(result.outcome);
    if (line.outcome !== "answered") return readDecline(line);
    const answers = list(line.answers)
      .map(fields)
      .map((entry): [string, string[]] => {
        const question = text(entry.questionId) ?? "";
        const labels = Object.entries(fields(data[question]));
        const label = (id: unknown) => labels.find(([, own]) => own === id)?.[0] ?? text(id) ?? "";
        return [question, list(entry.selectedOptionIds).map(label)];
      });
    return { decision: "allow", answers: Object.fromEntries(answers) };
  },
};

function readQuestion(question: Fields): Question {
  const options = list(question.options).map(fields);
  return {
    id: text(question.id) ?? "",
    text: nonBlank(question.prompt) ?? "",
    options: options.map((option) => ({ label: labelOf(option) })),
    multi: question.allowMultiple === true,
    freeform: false,
    secret: false,
  };
}

function optionIds(question: Fields): Record<string, string> {
  const options = list(question.options).map(fields);
  return Object.fromEntries(options.map((option) => [labelOf(option), text(option.id) ?? labelOf(option)]));
}

function labelOf(option: Fields): string {
  return nonBlank(option.label) ?? text(option.id) ?? "";
}

/** A plan that awaits approval. */
const createPlan: ExtensionInput = {
  request(params) {
    const title = nonBlank(params.name) ?? nonBlank(params.overview) ?? "A plan";
    const detail = [nonBlank(params.overview), nonBlank(params.plan)].filter((part) => part !== undefined).join("\n\n");
    const options = [
      { id: "accepted", label: "Accept", effect: "allow_once" as const },
      { id: "rejected", label: "Reject", effect: "deny" as const },
    ];
    const input = {
      item: itemOf(params),
      kind: "plan" as const,
      title: firstLine(title),
      detail: nonBlank(detail),
      options,
    };
    return { input: compact(input), data: {} };
  },
  result(answer) {
    if (answer.decision === "cancel") return outcome("cancelled");
    const accepted = answer.decision.startsWith("allow");
    return accepted ? outcome("accepted") : outcome("rejected", { reason: answer.message });
  },
  read(result) {
    const line = fields(result.outcome);
    return line.outcome === "accepted" ? { decision: "allow" } : readDecline(line);
  },
};

function outcome(name: string, more: Fields = {}): Fields {
  return { outcome: compact({ outcome: name, ...more }) };
}

function readDecline(line: Fields): InputAnswer {
  return compact({ decision: line.outcome === "cancelled" ? "cancel" : "deny", message: nonBlank(line.reason) });
}

function itemOf(params: Fields): string | undefined {
  const native = nonBlank(params.toolCallId);
  return native && itemId(native);
}

/** Handles plan steps. With `merge` they update the known ones by id. */
function handleTodos(state: State, params: Fields): Step<State> {
  const fresh = list(params.todos).map(fields).map(readTodo);
  if (fresh.length === 0 && params.merge !== false) return [state, []];
  const known = params.merge === true ? list(state.own?.todos).map(fields) : [];
  const merged = known.map((entry) => ({ ...entry, ...fresh.find(({ id }) => id === entry.id) }));
  const entries = [...merged, ...fresh.filter(({ id }) => !known.some((entry) => entry.id === id))];
  return handlePlan({ ...state, own: { ...state.own, todos: entries } }, { entries });
}

function readTodo(todo: Fields): Fields {
  const status = todo.status === "cancelled" ? "completed" : nonBlank(todo.status);
  return compact({ id: nonBlank(todo.id), content: nonBlank(todo.content) ?? nonBlank(todo.title), status });
}

/** Handles a finished subagent; Cursor reports it only at the end. */
function handleTask(state: State, params: Fields): Step<State> {
  if (state.replaying) return [state, []];
  const id = nonBlank(params.agentId) ?? nonBlank(params.toolCallId) ?? `task-${state.items + 1}`;
  const title = firstLine(nonBlank(params.description) ?? nonBlank(params.prompt) ?? "Subagent");
  const type = nonBlank(params.subagentType) ?? nonBlank(fields(params.subagentType).custom);
  const started = event(
    "subagent.started",
    compact({ id, parent: itemOf(params), type, title, model: nonBlank(params.model) }),
  );
  return runSteps(state, ensureTurn, (current) => [
    { ...current, items: current.items + 1 },
    [started, event("subagent.ended", { id, status: "ok" })],
  ]);
}

function handleImage(state: State, params: Fields): Step<State> {
  const what = [nonBlank(params.description), nonBlank(params.filePath)]
    .filter((part) => part !== undefined)
    .join(": ");
  return [state, state.replaying || what === "" ? [] : [notice("image", "info", `A picture was made: ${what}`)]];
}

/**
 * Cursor's methods, see https://cursor.com/docs/cli/acp. The last three are notifications; if a version sends one as a
 * request it gets a response, so that it does not wait.
 */
export const extensions: Readonly<Record<string, Extension>> = {
  "cursor/ask_question": { ask: askQuestion },
  "cursor/create_plan": { ask: createPlan, notify: handleTodos },
  "cursor/update_todos": { notify: handleTodos, taken: outcome("accepted") },
  "cursor/task": { notify: handleTask, taken: outcome("completed") },
  "cursor/generate_image": { notify: handleImage, taken: outcome("generated") },
};
