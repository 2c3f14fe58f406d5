import type { InputOption, Question } from "@gantry/protocol";
import { type InputDraft, itemId, type Step } from "../../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank, ownValue, put, text } from "../../fields.ts";
import { runSteps } from "../../steps.ts";
import type { Dialect } from "../dialect.ts";
import { type AgentRequest, type OpenRequest, requestKey, type State, type Tool } from "../state.ts";
import { ensureTurn } from "../turns/begin.ts";
import { closeText } from "../updates/texts.ts";
import { changesOf, commandOf, handlePermissionCall } from "../updates/tools.ts";
import { contentText } from "../wire/content.ts";

const effects: Record<string, InputOption["effect"]> = {
  allow_once: "allow_once",
  allow_always: "allow_always",
  reject_once: "deny",
  reject_always: "deny",
};

/**
 * Handles `session/request_permission`. Some agents announce the tool call only here. `undefined`: the request has no
 * usable option.
 */
export function askPermission(dialect: Dialect, state: State, request: AgentRequest): Step<State> | undefined {
  const { params } = request;
  const requestedCall = callOf(params);
  const call = dialect.call?.(requestedCall, state.tools) ?? requestedCall;
  const options = usableOptions(params.options);
  if (options.length === 0) return undefined;
  return runSteps(
    state,
    ensureTurn,
    closeText,
    (current) => handlePermissionCall(dialect, current, call),
    (current) => {
      const key = requestKey(request.id);
      const choice = choiceIn(dialect, call, options);
      const questions = choice ?? questionsIn(call);
      const ask: OpenRequest = compact({
        id: request.id,
        kind: choice ? "choice" : questions ? "questions" : "permission",
        data: choice && Object.fromEntries(options.map((option) => [readOption(option).label, option.optionId])),
        options: plainFirst(dialect, options).map((option) => [text(option.optionId) ?? "", text(option.kind) ?? ""]),
        tool: text(call.toolCallId),
        plan: (isPlan(dialect, options, toolOf(current, call)?.name) && !dialect.tellsMode?.(call)) || undefined,
      });
      const input = questions ? questionInput(call, questions) : approvalInput(dialect, current, params, call, options);
      return [{ ...current, asks: put(current.asks, key, ask) }, [{ kind: "ask", key, request: input }]];
    },
  );
}

/** More options than this are not offered. */
const MAX_OPTIONS = 100;

/** Options with an id, each id once. */
function usableOptions(value: unknown): Fields[] {
  const options = new Map<string, Fields>();
  for (const option of list(value).map(fields)) {
    const id = nonBlank(option.optionId);
    if (id && !options.has(id)) options.set(id, option);
    if (options.size === MAX_OPTIONS) break;
  }
  return [...options.values()];
}

/** Version 2 allows subjects other than tool calls; only their text is used. */
function callOf(params: Fields): Fields {
  const subject = fields(params.subject);
  return "toolCall" in params ? fields(params.toolCall) : fields(subject.toolCall);
}

function approvalInput(dialect: Dialect, state: State, params: Fields, call: Fields, options: Fields[]): InputDraft {
  const native = text(call.toolCallId);
  const tool = toolOf(state, call);
  const name = tool?.name ?? "tool";
  const kind = tool?.kind ?? "other";
  const command = commandOf(dialect, kind, call) ?? tool?.command;
  const changes = native === undefined ? [] : changesOf(state, native, call);
  const title = nonBlank(params.title) ?? command ?? nonBlank(call.title) ?? name;
  const content = contentText(call.content);
  return compact({
    item: native === undefined ? undefined : itemId(native),
    kind: isPlan(dialect, options, name) ? "plan" : "approval",
    title: firstLine(title),
    detail: nonBlank(params.description) ?? (changes.length === 0 ? nonBlank(content) : undefined),
    tool: compact({ name, kind, input: call.rawInput ?? tool?.input, command }),
    diff: changes.length > 0 ? changes : undefined,
    options: options.map(readOption),
  });
}

/** Moves the plain approval to the front: the first option of a kind is used for an unspecific answer. */
function plainFirst({ plainYes }: Dialect, options: Fields[]): Fields[] {
  return options.toSorted((a, b) => Number(b.optionId === plainYes) - Number(a.optionId === plainYes));
}

function toolOf(state: State, call: Fields): Tool | undefined {
  return ownValue(state.tools, text(call.toolCallId));
}

function isPlan({ planOptions, offersPlan }: Dialect, options: Fields[], tool: string | undefined): boolean {
  if (offersPlan !== undefined && tool === offersPlan) return true;
  return planOptions !== undefined && options.some(({ optionId }) => planOptions.test(text(optionId) ?? ""));
}

function readOption(option: Fields): InputOption {
  const id = text(option.optionId) ?? "";
  return { id, label: nonBlank(option.name) ?? id, effect: ownValue(effects, text(option.kind)) ?? "deny" };
}

/** A question whose answers are the options of a permission request. */
function choiceIn({ answerOptions }: Dialect, call: Fields, options: Fields[]): Question[] | undefined {
  if (!answerOptions || !options.every(({ optionId }) => answerOptions.test(text(optionId) ?? ""))) return undefined;
  const answers = options.map((option) => ({ label: readOption(option).label }));
  const question = nonBlank(call.title) ?? "A question";
  return [{ id: "0", text: question, options: answers, multi: false, freeform: false, secret: false }];
}

/** Questions wrapped in a permission request. */
function questionsIn(call: Fields): Question[] | undefined {
  const meta = fields(call._meta);
  if (meta.qwenInteractionKind !== "user_question" || !Array.isArray(meta.qwenQuestions)) return undefined;
  return meta.qwenQuestions.map(fields).map((question, index) =>
    compact({
      id: String(index),
      header: nonBlank(question.header),
      text: nonBlank(question.question) ?? `Question ${index + 1}`,
      options: list(question.options)
        .map(fields)
        .map((option) => compact({ label: text(option.label) ?? "", description: nonBlank(option.description) })),
      multi: question.multiSelect === true,
      freeform: true,
      secret: false,
    }),
  );
}

function questionInput(call: Fields, questions: Question[]): InputDraft {
  const native = text(call.toolCallId);
  return compact({
    item: native === undefined ? undefined : itemId(native),
    kind: "question",
    title: firstLine(questions[0]?.text ?? nonBlank(call.title) ?? "A question"),
    questions,
  });
}
