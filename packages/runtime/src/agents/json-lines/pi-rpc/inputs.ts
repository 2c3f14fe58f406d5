import type { InputOption, Question } from "@gantry/protocol";
import type { InputDraft } from "../../contract.ts";
import { compact, type Fields, newest, nonBlank, text, texts, without } from "../../fields.ts";
import { describeTool } from "../reading/tools.ts";
import type { Pass } from "../talk.ts";
import { draftOf as gateDraft, type Held, heldIn, notice } from "./gate/asks.ts";
import { GATE } from "./gate/extension.ts";
import type { PiState } from "./state.ts";

/** What extensions do to a screen that is not ours. */
const forScreens = ["setStatus", "setWidget", "setTitle", "set_editor_text", "setEditorText", "setFooter", "setHeader"];

/** An extension, or the agent's own approval, wants something from the user. */
export function asked(pass: Pass<PiState>, said: Fields, frame: unknown): void {
  const id = nonBlank(said.id);
  const method = text(said.method) ?? "";
  const held = heldIn(said);
  if (held) notice(pass, held);
  if (held && id && method === "select") return asksGate(pass, id, held);
  if (forScreens.includes(method)) return;
  if (method === "cancel") return withdrew(pass, text(said.targetId) ?? "");
  if (method === "notify") return pass.notice("extension", severity(said.notifyType), text(said.message) ?? "");
  const draft = id ? draftOf(method, said) : undefined;
  if (!id || !draft) return pass.raw(frame, "unknown request of an extension");
  const tool = draft.kind === "approval" ? waitingTool(pass, text(said.title) ?? "") : undefined;
  const options = draft.options ?? [];
  pass.state.asks = newest({ ...pass.state.asks, [id]: compact({ method, options, tool: tool?.native }) }, 20);
  const about = compact({ item: tool?.item, tool: tool?.tool, diff: tool?.diff });
  pass.say({ kind: "ask", key: id, request: { ...draft, ...about } });
}

/** Our own gate asks: it names the call, and the answer to it may say more than yes or no. */
function asksGate(pass: Pass<PiState>, id: string, held: Held): void {
  pass.state.asks = newest({ ...pass.state.asks, [id]: { method: GATE, options: [], tool: held.call } }, 20);
  pass.say({ kind: "ask", key: id, request: gateDraft(pass, held) });
}

/** The agent no longer waits for the answer. */
function withdrew(pass: Pass<PiState>, key: string): void {
  pass.state.asks = without(pass.state.asks, key);
  pass.say({ kind: "withdrawn", key, reason: "the agent took it back" });
}

function severity(type: unknown): "info" | "warning" | "error" {
  return type === "warning" || type === "error" ? type : "info";
}

function draftOf(method: string, said: Fields): InputDraft | undefined {
  const [title = "The agent asks.", ...rest] = (nonBlank(said.title) ?? nonBlank(said.message) ?? "").split("\n");
  const detail = nonBlank([...rest, title === said.message ? "" : (text(said.message) ?? "")].join("\n").trim());
  const about = compact({ title: title || "The agent asks.", detail });
  if (method === "confirm") return { kind: "approval", ...about, options: yesOrNo };
  if (method === "select") return select(about, texts(said.options));
  if (method !== "input" && method !== "editor") return undefined;
  const hint = nonBlank(said.placeholder) ?? nonBlank(said.prefill);
  return { kind: "question", ...about, questions: [question(hint ? `${about.title} (${hint})` : about.title, [])] };
}

const yesOrNo: InputOption[] = [
  { id: "true", label: "Yes", effect: "allow_once" },
  { id: "false", label: "No", effect: "deny" },
];

/** A choice between yes and no in any of the usual words is an approval; any other choice is a question. */
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

/** The call that is asked about: the one that runs and is named in the question, if there is just one such. */
function waitingTool(pass: Pass<PiState>, title: string) {
  const named = (/tool:? ([\w.-]+)/i.exec(title) ?? /allow ([\w.-]+)/i.exec(title))?.[1];
  const running = Object.entries(pass.state.tools).filter(([, tool]) => !named || tool.name === named);
  const [native, known] = running.length === 1 ? (running[0] ?? []) : [];
  const name = known?.name ?? named;
  if (!name) return undefined;
  const kind = known?.kind ?? describeTool(name, {}).kind;
  return { native, item: known?.item, tool: compact({ name, kind, command: known?.command }), diff: known?.changes };
}
