import type { InputAnswer, InputOption, InputRequest, Question } from "@gantry/protocol";
import type { InputDraft, Outbound } from "../contract.ts";
import {
  compact,
  type Fields,
  fields,
  list,
  newestEntries,
  nonBlank,
  ownValue,
  text,
  texts,
  withoutKey,
} from "../fields.ts";
import { denyTool } from "../json-lines/calls.ts";
import type { Pass } from "../json-lines/pass.ts";
import { startCall } from "../json-lines/pi-rpc/messages.ts";
import type { PiState } from "../json-lines/pi-rpc/state.ts";
import { diffChange, pathIn, plannedChanges } from "../json-lines/reading/changes.ts";
import { commandOf, describeTool } from "../json-lines/reading/tools.ts";
import { chosenOption } from "../json-lines/two-way.ts";

/** Kinds of open requests that identify their subject. */
export const APPROVAL = "approval";
export const QUESTION = "question";

const ONCE = "Allow once";
const DENY = "Deny";
const options: InputOption[] = [
  { id: ONCE, label: "Allow", effect: "allow_once" },
  { id: "Allow for this session", label: "Allow for this session", effect: "allow_session" },
  { id: DENY, label: "Deny", effect: "deny" },
];

/** Handles a dialog that identifies its call or question. Returns false for others. */
export function handleDialog(pass: Pass<PiState>, line: Fields): boolean {
  const id = nonBlank(line.id);
  if (!id || line.method !== "select") return false;
  const approval = fields(line.approval);
  if (nonBlank(approval.toolCallId))
    return emitRequest(pass, id, APPROVAL, approvalOf(pass, approval), text(approval.toolCallId));
  const question = fields(line.question);
  if (nonBlank(question.question)) return emitRequest(pass, id, QUESTION, questionOf(question));
  return false;
}

function emitRequest(pass: Pass<PiState>, id: string, method: string, request: InputDraft, tool?: string): true {
  pass.state.asks = newestEntries(
    { ...pass.state.asks, [id]: compact({ method, options: request.options ?? [], tool }) },
    20,
  );
  pass.emit({ kind: "ask", key: id, request });
  return true;
}

function approvalOf(pass: Pass<PiState>, approval: Fields): InputDraft {
  const [call, name] = [text(approval.toolCallId) ?? "", text(approval.toolName) ?? "tool"];
  const input = fields(approval.args);
  startCall(pass, call, name, input);
  const { kind, title } = describeTool(name, input);
  const command = kind === "execute" ? commandOf(input) : undefined;
  const [path, preview] = [pathIn(input), text(approval.preview) ?? ""];
  const previewed = path
    ? diffChange(path, preview, preview.startsWith("--- /dev/null") ? "add" : "update")
    : undefined;
  const changes = previewed ? [previewed] : kind === "edit" ? plannedChanges(input) : undefined;
  return compact({
    kind: "approval" as const,
    title: nonBlank(approval.title) ?? title,
    item: ownValue(pass.state.tools, call)?.item,
    tool: compact({ name, kind, input, command }),
    diff: changes,
    options,
  });
}

function questionOf(question: Fields): InputDraft {
  const asked: Question = {
    id: nonBlank(question.id) ?? "answer",
    text: text(question.question) ?? "",
    options: list(question.options).map((entry) => {
      const { label, description } = fields(entry);
      return compact({ label: text(label) ?? "", description: nonBlank(description) });
    }),
    multi: question.multi === true,
    freeform: true,
    secret: false,
  };
  return { kind: "question", title: asked.text, questions: [asked] };
}

/** Encodes an answer; `undefined` for other requests. */
export function reply(state: PiState, key: string, answer: InputAnswer, request: InputRequest): Outbound | undefined {
  const method = ownValue(state.asks, key)?.method;
  const frame = (line: Fields): Outbound => ({
    msg: { id: key, type: "extension_ui_response", ...line },
    key,
    repeat: "safe",
  });
  if (method === APPROVAL) {
    if (answer.decision === "cancel") return frame({ cancelled: true });
    // Gantry stores session grants, where they can be listed and revoked.
    const denied = chosenOption(answer, request) === DENY || chosenOption(answer, request) === undefined;
    const value = denied ? DENY : ONCE;
    return frame(compact({ value, args: answer.edits, reason: answer.message }));
  }
  if (method !== QUESTION) return undefined;
  if (answer.decision === "deny" || answer.decision === "cancel") return frame({ cancelled: true });
  const given = Object.values(answer.answers ?? {})[0] ?? answer.message ?? "";
  return frame({ selected: Array.isArray(given) ? given : [given] });
}

/** Decodes the answer that was sent to the agent. Returns false for other frames. */
export function decodeAnswer(pass: Pass<PiState>, line: Fields): boolean {
  const id = text(line.id) ?? "";
  const ask = ownValue(pass.state.asks, id);
  if (ask?.method !== APPROVAL && ask?.method !== QUESTION) return false;
  pass.state.asks = withoutKey(pass.state.asks, id);
  pass.emit({
    kind: "answered",
    key: id,
    answer: ask.method === APPROVAL ? readApproval(pass, ask.tool ?? "", line) : readAnswer(line),
  });
  return true;
}

function readApproval(pass: Pass<PiState>, call: string, line: Fields): InputAnswer {
  if (line.cancelled === true) return { decision: "cancel" };
  const effect = options.find(({ id }) => id === line.value)?.effect;
  const decision = effect === "allow_once" ? "allow" : effect === "allow_session" ? "allow_session" : "deny";
  if (decision === "deny") denyTool(pass, call);
  const edits = line.args === undefined ? undefined : fields(line.args);
  const tool = ownValue(pass.state.tools, call);
  if (edits && tool) startCall(pass, call, tool.name, edits);
  return compact({ decision, edits, message: nonBlank(line.reason) });
}

function readAnswer(line: Fields): InputAnswer {
  if (line.cancelled === true) return { decision: "cancel" };
  const selected = texts(line.selected);
  return { decision: "allow", answers: { answer: selected.length === 1 ? (selected[0] ?? "") : selected } };
}
