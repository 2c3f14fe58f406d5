import type { FileChange, InputAnswer, InputOption } from "@gantry/protocol";
import { lineDiff } from "../../../acp/wire/diff.ts";
import type { InputDraft } from "../../../contract.ts";
import { compact, type Fields, fields, list, nonBlank, own, parseFields, text } from "../../../fields.ts";
import { diffChange, pathIn, rememberedChanges, wantedChanges } from "../../reading/changes.ts";
import { commandOf, describeTool } from "../../reading/tools.ts";
import type { Pass } from "../../talk.ts";
import { chosen } from "../../two-way.ts";
import { called } from "../messages.ts";
import type { PiState } from "../state.ts";
import { GATE } from "./extension.ts";

/** A call that stands before the gate. `before` is what its file holds now, `null` when there is none. */
export type Held = { call: string; tool: string; input: Fields; before?: string | null };

const options: InputOption[] = [
  { id: "allow", label: "Allow", effect: "allow_once" },
  { id: "allow_session", label: "Allow for this session", effect: "allow_session" },
  { id: "deny", label: "Deny", effect: "deny" },
  { id: "stop", label: "Deny and stop", effect: "deny_and_stop" },
];

/** The call that a dialog of the gate is about; nothing when the dialog is another extension's. */
export function heldIn(said: Fields): Held | undefined {
  const title = text(said.title) ?? "";
  if (said.method === "select" && title.startsWith(`${GATE} `)) return held(title.slice(GATE.length + 1));
  if (said.method === "setStatus" && said.statusKey === GATE) return held(text(said.statusText) ?? "");
  return undefined;
}

/** The gate told of a call. Now it is known what is in the file that it is about. */
export function notice(pass: Pass<PiState>, about: Held): void {
  called(pass, about.call, about.tool, about.input);
  const tool = own(pass.state.tools, about.call);
  const changes = changesOf(about);
  if (!tool || !changes) return;
  pass.state.tools = { ...pass.state.tools, [about.call]: { ...tool, changes: rememberedChanges(changes) } };
}

/** The gate asks whether a call may run. */
export function draftOf(pass: Pass<PiState>, about: Held): InputDraft {
  const { kind, title } = describeTool(about.tool, about.input);
  const command = kind === "execute" ? commandOf(about.input) : undefined;
  const tool = compact({ name: about.tool, kind, input: about.input, command });
  const item = own(pass.state.tools, about.call)?.item;
  return compact({ kind: "approval" as const, title, item, tool, diff: changesOf(about), options });
}

/** The answer in the gate's words. */
export function gateAnswer(answer: InputAnswer): string {
  const option = chosen(answer, { options });
  const decision = option === "deny" || option === "stop" ? option : "allow";
  return JSON.stringify(compact({ decision, edits: answer.edits, message: answer.message }));
}

/** What a person decided, read from the answer that went to the gate. */
export function decidedIn(value: string | undefined): InputAnswer {
  const { decision, edits, message } = parseFields(value);
  const told = compact({ message: nonBlank(message), edits: edits === undefined ? undefined : fields(edits) });
  if (decision === "allow" || decision === "deny") return { decision, ...told };
  return { decision: "cancel", ...told };
}

function held(json: string): Held | undefined {
  const { call, tool, input, before } = parseFields(json);
  const [id, name] = [nonBlank(call), nonBlank(tool)];
  if (!id || !name) return undefined;
  const content = before === null ? null : text(before);
  return compact({ call: id, tool: name, input: fields(input), before: content });
}

function changesOf({ tool, input, before }: Held): FileChange[] | undefined {
  if (describeTool(tool, input).kind !== "edit") return undefined;
  const wanted = wantedChanges(input);
  if (before === null) return wanted?.map((change) => ({ ...change, kind: "add" as const }));
  const path = pathIn(input);
  const after = before === undefined ? undefined : contentAfter(before, input);
  if (path === undefined || before === undefined || after === undefined) return wanted;
  const change = diffChange(path, lineDiff(before, after).diff);
  return [change ?? { path, kind: "update", additions: 0, deletions: 0 }];
}

/** The file as the call will leave it; nothing when that is for the agent to find out. */
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
