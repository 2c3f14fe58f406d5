import type { InputOption, Question } from "@gantry/protocol";
import type { InputDraft } from "../../contract.ts";
import { compact, type Fields, newestEntries, nonBlank, text, texts, withoutKey } from "../../fields.ts";
import type { Pass } from "../pass.ts";
import { describeTool } from "../reading/tools.ts";
import { draftOf as gateDraft, type HeldCall, heldCallIn, recordHeldCall } from "./gate/asks.ts";
import { GATE } from "./gate/extension.ts";
import type { PiState } from "./state.ts";

/** UI methods of extensions that have no effect here. */
const ignoredMethods = [
  "setStatus",
  "setWidget",
  "setTitle",
  "set_editor_text",
  "setEditorText",
  "setFooter",
  "setHeader",
];

/** Handles a dialog of an extension or of the agent's approval system. */
export function handleDialog(pass: Pass<PiState>, line: Fields, frame: unknown): void {
  const id = nonBlank(line.id);
  const method = text(line.method) ?? "";
  const held = heldCallIn(line);
  if (held) recordHeldCall(pass, held);
  if (held && id && method === "select") return handleGateDialog(pass, id, held);
  if (ignoredMethods.includes(method)) return;
  if (method === "cancel") return handleWithdrawal(pass, text(line.targetId) ?? "");
  if (method === "notify") return pass.notice("extension", severity(line.notifyType), text(line.message) ?? "");
  const draft = id ? draftOf(method, line) : undefined;
  if (!id || !draft) return pass.raw(frame, "unknown extension request");
  const tool = draft.kind === "approval" ? waitingTool(pass, text(line.title) ?? "") : undefined;
  const options = draft.options ?? [];
  pass.state.asks = newestEntries({ ...pass.state.asks, [id]: compact({ method, options, tool: tool?.native }) }, 20);
  const about = compact({ item: tool?.item, tool: tool?.tool, diff: tool?.diff });
  pass.emit({ kind: "ask", key: id, request: { ...draft, ...about } });
}

/** A dialog of our gate names the call and accepts a structured answer. */
function handleGateDialog(pass: Pass<PiState>, id: string, held: HeldCall): void {
  pass.state.asks = newestEntries({ ...pass.state.asks, [id]: { method: GATE, options: [], tool: held.call } }, 20);
  pass.emit({ kind: "ask", key: id, request: gateDraft(pass, held) });
}

/** The agent withdrew the dialog. */
function handleWithdrawal(pass: Pass<PiState>, key: string): void {
  pass.state.asks = withoutKey(pass.state.asks, key);
  pass.emit({ kind: "withdrawn", key, reason: "the agent withdrew it" });
}

function severity(type: unknown): "info" | "warning" | "error" {
  return type === "warning" || type === "error" ? type : "info";
}

function draftOf(method: string, line: Fields): InputDraft | undefined {
  const [title = "The agent has a question.", ...rest] = (nonBlank(line.title) ?? nonBlank(line.message) ?? "").split(
    "\n",
  );
  const detail = nonBlank([...rest, title === line.message ? "" : (text(line.message) ?? "")].join("\n").trim());
  const about = compact({ title: title || "The agent has a question.", detail });
  if (method === "confirm") return { kind: "approval", ...about, options: yesOrNo };
  if (method === "select") return select(about, texts(line.options));
  if (method !== "input" && method !== "editor") return undefined;
  const hint = nonBlank(line.placeholder) ?? nonBlank(line.prefill);
  return { kind: "question", ...about, questions: [question(hint ? `${about.title} (${hint})` : about.title, [])] };
}

const yesOrNo: InputOption[] = [
  { id: "true", label: "Yes", effect: "allow_once" },
  { id: "false", label: "No", effect: "deny" },
];

/** A choice between common forms of yes and no is an approval, any other choice a question. */
function select(about: { title: string; detail?: string }, choices: string[]): InputDraft {
  const options = choices.flatMap((choice) => {
    const effect = effectOf(choice);
    return effect ? [{ id: choice, label: choice, effect }] : [];
  });
  if (choices.length > 0 && options.length === choices.length) return { kind: "approval", ...about, options };
  return { kind: "question", ...about, questions: [question(about.title, choices)] };
}

function effectOf(choice: string): InputOption["effect"] | undefined {
  if (/^(deny|reject|no|block|cancel|decline)\b/i.test(choice)) return "deny";
  if (!/^(allow|approve|yes|accept|ok|always)\b/i.test(choice)) return undefined;
  return /always|session/i.test(choice) ? "allow_session" : "allow_once";
}

function question(asked: string, choices: string[]): Question {
  const options = choices.map((label) => ({ label }));
  return { id: "answer", text: asked, options, multi: false, freeform: choices.length === 0, secret: false };
}

/** The call that the dialog is about: the only running one that matches its title. */
function waitingTool(pass: Pass<PiState>, title: string) {
  const named = (/tool:? ([\w.-]+)/i.exec(title) ?? /allow ([\w.-]+)/i.exec(title))?.[1];
  const running = Object.entries(pass.state.tools).filter(([, tool]) => !named || tool.name === named);
  const [native, known] = running.length === 1 ? (running[0] ?? []) : [];
  const name = known?.name ?? named;
  if (!name) return undefined;
  const kind = known?.kind ?? describeTool(name, {}).kind;
  return { native, item: known?.item, tool: compact({ name, kind, command: known?.command }), diff: known?.changes };
}
