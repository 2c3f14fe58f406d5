import { createHash } from "node:crypto";
import type { InputOption, Question } from "@gantry/protocol";
import { type InputDraft, itemId } from "../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  isFields,
  list,
  newestEntries,
  nonBlank,
  ownValue,
  text,
  texts,
  withoutKey,
} from "../../fields.ts";
import { wantedChanges } from "../tools/changes.ts";
import { commandOf, describeTool } from "../tools/tools.ts";
import type { Ask, Pass } from "./state.ts";

const OPEN_ASKS = 50;

/** Option ids; `encode.ts` maps them to Claude's answers. */
export const options = {
  allow: { id: "allow", label: "Allow", effect: "allow_once" },
  allowSession: { id: "allow_session", label: "Allow for this session", effect: "allow_session" },
  deny: { id: "deny", label: "Deny", effect: "deny" },
  denyAndStop: { id: "deny_and_stop", label: "Deny and stop", effect: "deny_and_stop" },
  approvePlan: { id: "approve", label: "Approve the plan", effect: "allow_once" },
  approvePlanAutoEdit: {
    id: "approve_auto_edit",
    label: "Approve and edit without asking",
    effect: "allow_once",
    mode: "auto-edit",
  },
  keepPlanning: { id: "keep_planning", label: "Keep planning", effect: "deny" },
} as const satisfies Record<string, InputOption>;

/** Handles `can_use_tool`: an approval, or for two of Claude's tools a question or a plan. */
export function askTool(pass: Pass, key: string, request: Fields): void {
  const name = nonBlank(request.tool_name) ?? "tool";
  const input = fields(request.input);
  const tool = nonBlank(request.tool_use_id) ?? "";
  const questions = name === "AskUserQuestion" ? readQuestions(input) : [];
  keep(pass, key, { tool, name, input: fingerprint(input), questions: questions.map((question) => question.text) });
  const about = compact({ item: tool ? itemId(tool) : undefined, subagent: nonBlank(request.agent_id) });
  const draft =
    name === "AskUserQuestion"
      ? question(questions)
      : name === "ExitPlanMode"
        ? plan(nonBlank(input.plan) ?? ownValue(pass.state.tools, tool)?.plan)
        : approval(name, input, request);
  const called = compact({ name, kind: describeTool(name, input).kind, input, command: commandOf(name, input) });
  pass.emit(compact({ kind: "ask", key, request: { ...draft, ...about, tool: called }, ext: detail(request) }));
}

function approval(name: string, input: Fields, request: Fields): InputDraft {
  const { title } = describeTool(name, input);
  const reasons = [request.description, request.decision_reason, request.blocked_path].flatMap(
    (entry) => nonBlank(entry) ?? [],
  );
  return compact({
    kind: "approval",
    title: nonBlank(request.title) ?? title,
    detail: nonBlank(reasons.join("\n")),
    diff: wantedChanges(name, input),
    options: [options.allow, options.allowSession, options.deny, options.denyAndStop],
  });
}

function question(questions: Question[]): InputDraft {
  const title = questions[0]?.text ?? "Claude has a question.";
  return { kind: "question", title, questions, options: [options.deny, options.denyAndStop] };
}

function plan(body: string | undefined): InputDraft {
  const { approvePlan, approvePlanAutoEdit, keepPlanning, denyAndStop } = options;
  const choices = [approvePlan, approvePlanAutoEdit, keepPlanning, denyAndStop];
  return compact({ kind: "plan", title: "Claude wants to carry out its plan", detail: body, options: choices });
}

function readQuestions(input: Fields): Question[] {
  return list(input.questions).map((entry, index) => {
    const asked = fields(entry);
    const choices = list(asked.options).map((option) => {
      const { label, description } = fields(option);
      return compact({ label: text(label) ?? "", description: nonBlank(description) });
    });
    const multi = asked.multiSelect === true;
    const question = { id: `q${index + 1}`, header: nonBlank(asked.header), text: text(asked.question) ?? "" };
    return compact({ ...question, options: choices, multi, freeform: true, secret: false });
  });
}

/** Handles an elicitation of an MCP server: a form or a page to visit. */
export function askElicitation(pass: Pass, key: string, request: Fields): void {
  const server = nonBlank(request.mcp_server_name) ?? "An MCP server";
  keep(pass, key, { tool: "", name: "elicitation", input: "", questions: [] });
  const schema = fields(request.requested_schema);
  const required = texts(schema.required);
  const questions: Question[] = Object.entries(fields(schema.properties)).map(([id, property]) => {
    const { title, description, type } = fields(property);
    const choices = type === "boolean" ? ["true", "false"] : texts(fields(property).enum);
    const label = nonBlank(description) ?? nonBlank(title) ?? id;
    const asked = required.includes(id) ? label : `${label} (optional)`;
    return {
      id,
      text: asked,
      options: choices.map((label) => ({ label })),
      multi: false,
      freeform: choices.length === 0,
      secret: false,
    };
  });
  const draft: InputDraft = compact({
    kind: "elicitation",
    title: nonBlank(request.message) ?? `${server} asks for something.`,
    detail: nonBlank(request.url) ?? server,
    questions,
    options: [options.allow, options.deny],
  });
  pass.emit({ kind: "ask", key, request: draft, ext: detail(request) });
}

/** Claude no longer waits for this answer. */
export function withdraw(pass: Pass, key: string, reason: string): void {
  if (!ownValue(pass.state.asks, key)) return;
  pass.state.asks = withoutKey(pass.state.asks, key);
  pass.emit({ kind: "withdrawn", key, reason });
}

function keep(pass: Pass, key: string, ask: Ask): void {
  pass.state.asks = newestEntries({ ...pass.state.asks, [key]: ask }, OPEN_ASKS);
}

/** Claude's suggestions and reasons, for display. */
function detail(request: Fields): Fields | undefined {
  const { permission_suggestions, decision_reason_type, display_name, requested_schema } = request;
  const extra = compact({ permission_suggestions, decision_reason_type, display_name, requested_schema });
  return Object.keys(extra).length > 0 ? extra : undefined;
}

/** A fingerprint of a tool input that ignores the order of keys. */
export function fingerprint(value: unknown): string {
  return createHash("sha1").update(canonicalJson(value)).digest("hex").slice(0, 16);
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join()}}`;
}
