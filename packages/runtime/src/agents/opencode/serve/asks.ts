import type { InputOption, Question } from "@gantry/protocol";
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
} from "../../fields.ts";
import { denyTool, toolItem } from "../../json-lines/calls.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { diffChange } from "../../json-lines/reading/changes.ts";
import type { ServeState } from "./state.ts";

const options: InputOption[] = [
  { id: "once", label: "Allow", effect: "allow_once" },
  { id: "always", label: "Allow for this session", effect: "allow_session" },
  { id: "reject", label: "Deny", effect: "deny" },
];

const decisions: Record<string, "allow" | "allow_session" | "deny"> = {
  once: "allow",
  always: "allow_session",
  reject: "deny",
};

export function permissionAsked(pass: Pass<ServeState>, line: Fields): void {
  const id = text(line.id) ?? "";
  const tool = keep(pass, id, line);
  const permission = nonBlank(line.permission) ?? "tool";
  const patterns = texts(line.patterns).join(", ");
  const { filepath, diff } = fields(line.metadata);
  const change = nonBlank(filepath) && nonBlank(diff) ? diffChange(String(filepath), String(diff)) : undefined;
  const shell = permission === "bash";
  const request = compact({
    kind: "approval" as const,
    title: [shell ? "" : permission, patterns].filter(Boolean).join(" "),
    item: tool,
    tool: compact({
      name: permission,
      kind: shell ? "execute" : permission === "edit" ? "edit" : "other",
      command: shell ? patterns : undefined,
    }),
    diff: change ? [change] : undefined,
    options,
  });
  pass.emit({ kind: "ask", key: id, request });
}

export function permissionReplied(pass: Pass<ServeState>, line: Fields): void {
  const id = text(line.requestID) ?? text(line.permissionID) ?? "";
  const reply = text(line.reply) ?? text(line.response) ?? "";
  const decision = ownValue(decisions, reply) ?? "cancel";
  const tool = ownValue(pass.state.asks, id);
  pass.state.asks = withoutKey(pass.state.asks, id);
  if (tool && decision === "deny") denyTool(pass, tool);
  pass.emit({ kind: "answered", key: id, answer: { decision, option: reply } });
}

export function questionAsked(pass: Pass<ServeState>, line: Fields): void {
  const id = text(line.id) ?? "";
  const item = keep(pass, id, line);
  const questions = list(line.questions).map((entry, index) => questionOf(fields(entry), index));
  const title = questions[0]?.text ?? "OpenCode has a question.";
  pass.emit({ kind: "ask", key: id, request: compact({ kind: "question" as const, title, item, questions }) });
}

function questionOf(asked: Fields, index: number): Question {
  const choices = list(asked.options).map((option) => {
    const { label, description } = fields(option);
    return compact({ label: text(label) ?? "", description: nonBlank(description) });
  });
  const question = { id: `q${index + 1}`, header: nonBlank(asked.header), text: text(asked.question) ?? "" };
  return compact({ ...question, options: choices, multi: asked.multiple === true, freeform: true, secret: false });
}

/** Answers are in the order of the questions, each a list of choices. */
export function questionReplied(pass: Pass<ServeState>, line: Fields): void {
  const id = text(line.requestID) ?? "";
  pass.state.asks = withoutKey(pass.state.asks, id);
  const given = list(line.answers).map((entry, index) => [`q${index + 1}`, texts(entry)] as const);
  const decision = given.length > 0 ? "allow" : "deny";
  pass.emit({ kind: "answered", key: id, answer: { decision, answers: Object.fromEntries(given) } });
}

/** Stores the request and returns the item of its call. */
function keep(pass: Pass<ServeState>, id: string, line: Fields): string | undefined {
  const call = nonBlank(fields(line.tool).callID);
  pass.state.asks = newestEntries({ ...pass.state.asks, [id]: call ?? "" }, 20);
  return call && ownValue(pass.state.tools, call) ? toolItem(pass, call) : undefined;
}
