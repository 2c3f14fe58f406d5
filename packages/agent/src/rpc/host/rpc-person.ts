import type { Person } from "../../contract/ports.ts";
import type { Answer, Question } from "../../contract/tool.ts";
import type { GateBroker, GateOutcome } from "../../gates/broker.ts";
import type { Gate } from "../../gates/store.ts";
import type { Approval, ApprovalRequest } from "../../permissions/action.ts";
import type { Dialogs } from "./dialogs.ts";

const CHOICES = { "Allow once": "once", "Allow for this session": "session", Deny: "deny" } as const;
const OTHER = "Other (type your own answer)";
const DONE = "Done selecting";

type Parts = {
  dialogs: Dialogs;
  gates(): GateBroker;
  /** Whether to ask by gate: in unattended mode, or if the client requested gates. Otherwise by dialog. */
  byGate(): boolean;
  /** How long a dialog stays open. Default: until it is answered or aborted. */
  timeoutMs?: number;
};

/** The person behind an RPC client. Asks by dialog or by gate. */
export function createRpcPerson(parts: Parts): Person {
  return {
    approve: (request, signal) =>
      parts.byGate() ? approveByGate(parts.gates(), request, signal) : approveByDialog(parts, request, signal),
    async ask(questions, signal) {
      const answers: Answer[] = [];
      for (const question of questions) {
        const answer = parts.byGate()
          ? await askByGate(parts.gates(), question, signal)
          : await askByDialog(parts, question, signal);
        if (!answer) return undefined;
        answers.push(answer);
      }
      return answers;
    },
  };
}

async function approveByDialog(parts: Parts, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const { toolCallId, toolName, args, actions, preview } = request;
  const outcome = await parts.dialogs.ask(
    { method: "select", title: `Allow ${request.title}?`, options: Object.keys(CHOICES) },
    {
      signal,
      ...(parts.timeoutMs === undefined ? {} : { timeoutMs: parts.timeoutMs }),
      extra: {
        approval: { toolCallId, toolName, title: request.title, args, actions, ...(preview ? { preview } : {}) },
      },
    },
  );
  if (outcome.kind === "timed out") return { decision: "deny", reason: "The approval timed out." };
  if (outcome.kind === "cancelled") return { decision: "deny" };
  const { value, confirmed, reason } = outcome.reply;
  const decision = confirmed ? "once" : (CHOICES[value as keyof typeof CHOICES] ?? value);
  if (decision !== "once" && decision !== "session") return { decision: "deny", ...(reason ? { reason } : {}) };
  return { decision, ...(outcome.reply.args ? { args: outcome.reply.args } : {}) };
}

async function askByDialog(parts: Parts, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  const options = { signal, ...(parts.timeoutMs === undefined ? {} : { timeoutMs: parts.timeoutMs }) };
  const selected: string[] = [];
  for (;;) {
    const left = question.options.map(({ label }) => label).filter((label) => !selected.includes(label));
    const offered = [...left, OTHER, ...(question.multi && selected.length > 0 ? [DONE] : [])];
    const outcome = await parts.dialogs.ask(
      { method: "select", title: question.question, options: offered },
      { ...options, extra: { question } },
    );
    if (outcome.kind === "timed out" && question.recommended !== undefined) {
      const label = question.options[question.recommended]?.label;
      if (label !== undefined) return { id: question.id, selected: [label] };
    }
    if (outcome.kind !== "answered") return undefined;
    if (outcome.reply.selected) return splitSelection(question, outcome.reply.selected);
    const value = outcome.reply.value ?? "";
    if (value === DONE) return { id: question.id, selected };
    if (value === OTHER) return askForText(parts, question, selected, options);
    if (!left.includes(value)) return { id: question.id, selected, other: value };
    selected.push(value);
    if (!question.multi) return { id: question.id, selected };
  }
}

function splitSelection(question: Question, selection: readonly string[]): Answer {
  const labels = question.options.map(({ label }) => label);
  const other = selection.filter((text) => !labels.includes(text)).join("\n");
  return { id: question.id, selected: selection.filter((text) => labels.includes(text)), ...(other ? { other } : {}) };
}

async function askForText(
  { dialogs }: Parts,
  question: Question,
  selected: string[],
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<Answer | undefined> {
  const outcome = await dialogs.ask({ method: "input", title: question.question }, options);
  if (outcome.kind !== "answered" || !outcome.reply.value) return undefined;
  return { id: question.id, selected, other: outcome.reply.value };
}

async function approveByGate(gates: GateBroker, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const { toolCallId, toolName, args, actions, preview, title } = request;
  const outcome = await gates.open(
    {
      stage: "ultragoal",
      kind: "approval",
      schema: {
        type: "object",
        properties: {
          decision: { type: "string", enum: ["approve", "approve-session", "deny"] },
          reason: { type: "string" },
          args: { type: "object" },
        },
        required: ["decision"],
        additionalProperties: false,
      },
      options: [
        { value: { decision: "approve" }, label: "Allow once" },
        { value: { decision: "approve-session" }, label: "Allow for this session" },
        { value: { decision: "deny" }, label: "Deny" },
      ],
      context: {
        title: `Allow ${title}?`,
        ...(preview ? { summary: preview } : {}),
        approval: { toolCallId, toolName, args, actions },
      },
    },
    signal,
  );
  return approvalOf(outcome);
}

function approvalOf(outcome: GateOutcome): Approval {
  if (outcome.kind === "withdrawn") return { decision: "deny", reason: "The question was withdrawn." };
  const { decision, reason, args } = outcome.answer as {
    decision: string;
    reason?: string;
    args?: Record<string, unknown>;
  };
  if (decision === "deny") return { decision: "deny", ...(reason ? { reason } : {}) };
  return { decision: decision === "approve" ? "once" : "session", ...(args ? { args } : {}) };
}

async function askByGate(gates: GateBroker, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  const labels = question.options.map(({ label }) => label);
  const outcome = await gates.open(
    {
      stage: "deep-interview",
      kind: "question",
      schema: {
        type: "object",
        properties: {
          selected: {
            type: "array",
            ...(labels.length > 0 ? { items: { type: "string", enum: labels } } : { items: { type: "string" } }),
            ...(question.multi ? {} : { maxItems: 1 }),
            uniqueItems: true,
          },
          other: { type: ["string", "boolean"] },
        },
        required: ["selected"],
        additionalProperties: false,
      },
      options: question.options.map(({ label, description }) => ({
        value: label,
        label,
        ...(description ? { description } : {}),
      })),
      context: {
        title: question.question,
        prompt: question.question,
        ...(question.recommended === undefined ? {} : { recommended: question.recommended }),
      },
    },
    signal,
  );
  if (outcome.kind === "withdrawn") return undefined;
  const { selected, other } = outcome.answer as { selected: string[]; other?: string | boolean };
  return { id: question.id, selected, ...(typeof other === "string" && other !== "" ? { other } : {}) };
}

/** The message to the model for the answer to a gate whose call ended with an earlier process. */
export function orphanAnswerText(gate: Gate, answer: unknown): string {
  const question = String(gate.context.title ?? gate.kind);
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return `Before the interruption you asked: ${question}\nThe answer has arrived: ${text}`;
}
