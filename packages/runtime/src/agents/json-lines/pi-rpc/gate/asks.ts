import type { FileChange, InputAnswer, InputOption } from "@gantry/protocol";
import { lineDiff } from "../../../acp/wire/diff.ts";
import type { InputDraft } from "../../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, ownValue, parseFields, text } from "../../../fields.ts";
import type { Pass } from "../../pass.ts";
import { diffChange, pathIn, plannedChanges, storableChanges } from "../../reading/changes.ts";
import { commandOf, describeTool } from "../../reading/tools.ts";
import { chosenOption } from "../../two-way.ts";
import { startCall } from "../messages.ts";
import type { PiState } from "../state.ts";
import { GATE } from "./extension.ts";

/** A call held by the gate. `before` is the current content of its file, `null` if the file does not exist. */
export type HeldCall = { call: string; tool: string; input: Fields; before?: string | null };

const options: InputOption[] = [
  { id: "allow", label: "Allow", effect: "allow_once" },
  { id: "allow_session", label: "Allow for this session", effect: "allow_session" },
  { id: "deny", label: "Deny", effect: "deny" },
  { id: "stop", label: "Deny and stop", effect: "deny_and_stop" },
];

/** The held call of a gate dialog; `undefined` for dialogs of other extensions. */
export function heldCallIn(line: Fields): HeldCall | undefined {
  const title = text(line.title) ?? "";
  if (line.method === "select" && title.startsWith(`${GATE} `)) return parseHeldCall(title.slice(GATE.length + 1));
  if (line.method === "setStatus" && line.statusKey === GATE) return parseHeldCall(text(line.statusText) ?? "");
  return undefined;
}

/** Records a call reported by the gate, with the changes it makes to the file. */
export function recordHeldCall(pass: Pass<PiState>, about: HeldCall): void {
  startCall(pass, about.call, about.tool, about.input);
  const tool = ownValue(pass.state.tools, about.call);
  const changes = changesOf(about);
  if (!tool || !changes) return;
  pass.state.tools = { ...pass.state.tools, [about.call]: { ...tool, changes: storableChanges(changes) } };
}

/** The approval request for a held call. */
export function draftOf(pass: Pass<PiState>, about: HeldCall): InputDraft {
  const { kind, title } = describeTool(about.tool, about.input);
  const command = kind === "execute" ? commandOf(about.input) : undefined;
  const tool = compact({ name: about.tool, kind, input: about.input, command });
  const item = ownValue(pass.state.tools, about.call)?.item;
  return compact({ kind: "approval" as const, title, item, tool, diff: changesOf(about), options });
}

/** Encodes an answer for the gate. */
export function gateAnswer(answer: InputAnswer): string {
  const option = chosenOption(answer, { options });
  const decision = option === "deny" || option === "stop" ? option : "allow";
  return JSON.stringify(compact({ decision, edits: answer.edits, message: answer.message }));
}

/** Decodes the answer that was sent to the gate. */
export function readGateAnswer(value: string | undefined): InputAnswer {
  const { decision, edits, message } = parseFields(value);
  const details = compact({ message: nonBlank(message), edits: edits === undefined ? undefined : fields(edits) });
  if (decision === "allow" || decision === "deny") return { decision, ...details };
  return { decision: "cancel", ...details };
}

function parseHeldCall(json: string): HeldCall | undefined {
  const { call, tool, input, before } = parseFields(json);
  const [id, name] = [nonBlank(call), nonBlank(tool)];
  if (!id || !name) return undefined;
  const content = before === null ? null : text(before);
  return compact({ call: id, tool: name, input: fields(input), before: content });
}

function changesOf({ tool, input, before }: HeldCall): FileChange[] | undefined {
  if (describeTool(tool, input).kind !== "edit") return undefined;
  const wanted = plannedChanges(input);
  if (before === null) return wanted?.map((change) => ({ ...change, kind: "add" as const }));
  const path = pathIn(input);
  const after = before === undefined ? undefined : contentAfter(before, input);
  if (path === undefined || before === undefined || after === undefined) return wanted;
  const change = diffChange(path, lineDiff(before, after).diff);
  return [change ?? { path, kind: "update", additions: 0, deletions: 0 }];
}

/** The file after the call; `undefined` if it cannot be predicted. */
function contentAfter(before: string, input: Fields): string | undefined {
  const whole = text(input.content);
  if (whole !== undefined) return whole;
  const edits = list(input.edits).map(fields);
  return edits.reduce<string | undefined>((content, { oldText, newText }) => {
    const [old, fresh] = [nonBlank(oldText), text(newText)];
    if (content === undefined || old === undefined || fresh === undefined || !content.includes(old)) return undefined;
    return content.replace(old, () => fresh);
  }, before);
}
