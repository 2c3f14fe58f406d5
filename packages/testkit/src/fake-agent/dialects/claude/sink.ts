import { randomUUID } from "node:crypto";
import type {
  Answer,
  Channel,
  Ending,
  PlanEntry,
  Request,
  Subagent,
  ToolCall,
  ToolOutcome,
  TurnSink,
} from "@gantry/scripted/agent";
import { asObject, asObjects, asText, type Json } from "@gantry/scripted/json";
import { API_ERRORS, initFrame, resultFrame, type SessionState } from "./frames.ts";
import { MessageWriter } from "./message.ts";
import { permissionRequest, readDecision, toolResult, toolUse } from "./tools.ts";

const REJECTED = "[Request interrupted by user]";
const REJECTED_TOOL = "[Request interrupted by user for tool use]";

/** Writes a turn in Claude Code's format, and sends requests through the control protocol. */
export class ClaudeSink implements TurnSink {
  /** The uuids of the messages that the turn answers. */
  messages: string[] = [];
  /** Whether the last turn failed. Determines the exit code. */
  failed = false;
  readonly #session: SessionState;
  readonly #write: (frame: Json) => void;
  readonly #message: MessageWriter;
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly #allowedCommands = new Set<string>();

  constructor(session: SessionState, write: (frame: Json) => void, partials: boolean) {
    this.#session = session;
    this.#write = write;
    this.#message = new MessageWriter(session, write, partials);
  }

  itemId(): string {
    return `toolu_${randomUUID().replaceAll("-", "").slice(0, 22)}`;
  }

  started(): void {
    this.#write(initFrame(this.#session, this.messages));
  }

  delta(item: string, channel: Channel, text: string): void {
    if (channel === "text") this.#message.piece(item, "text", text);
    if (channel === "reasoning") this.#message.piece(item, "thinking", text);
  }

  completeMessage(item: string, text: string): void {
    this.#message.complete(item, "text", text);
  }

  thought(item: string, text: string): void {
    this.#message.complete(item, "thinking", text);
  }

  planned(entries: PlanEntry[]): void {
    const todos = entries.map((entry) => ({ content: entry.text, status: entry.status, activeForm: entry.text }));
    const item = this.itemId();
    this.#call(item, "TodoWrite", { todos });
    this.#result(item, "Todos have been modified successfully.", { newTodos: todos });
  }

  toolsStarted(calls: ToolCall[]): void {
    for (const call of calls) {
      const { name, input } = toolUse(call.step, this.#session.cwd);
      this.#message.tool(call.item, name, input);
    }
    this.#message.end("tool_use");
  }

  toolEnded(call: ToolCall, outcome: ToolOutcome): void {
    const { content, structured } = toolResult(call, outcome, this.#session.cwd);
    this.#result(call.item, content, structured, outcome.status !== "ok");
  }

  mustAsk({ step }: ToolCall): boolean {
    const { mode } = this.#session;
    if (step.do === "read" || ["bypassPermissions", "auto", "dontAsk"].includes(mode)) return false;
    if (step.do === "run") return !step.harmless && !this.#allowedCommands.has(step.command);
    return mode !== "acceptEdits";
  }

  ask(request: Request): { id: string; answer: Promise<Answer> } {
    const id = randomUUID();
    const answer = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    this.#write({ type: "control_request", request_id: id, request: this.#requestBody(request) });
    return { id, answer };
  }

  /** Delivers a control response. Drops responses without a request, like the real program. */
  settle(id: string, response: Json): void {
    const resolve = this.#open.get(id);
    this.#open.delete(id);
    const decided = asObject(response.response);
    for (const permission of asObjects(decided.updatedPermissions)) this.#grant(permission);
    resolve?.(
      response.subtype === "success" ? readDecision(decided) : { decision: "deny", message: asText(response.error) },
    );
  }

  /** The host disconnected: pending requests fail, and the turn continues. */
  hangUp(): void {
    for (const resolve of this.#open.values()) {
      resolve({ decision: "deny", message: "Tool permission request failed: AbortError: Stream closed" });
    }
    this.#open.clear();
  }

  withdraw(id: string): void {
    this.#open.delete(id);
    this.#write({ type: "control_cancel_request", request_id: id });
  }

  answered(request: Request, answer: Answer): void {
    if (request.kind === "approval") return;
    if (answer.decision === "deny" || answer.decision === "cancel") {
      this.#result(request.item, answer.message ?? "The user declined.", "User rejected tool use", true);
    } else if (request.kind === "plan") {
      this.#session.mode = "default";
      const content = "User has approved your plan. You can now start coding.";
      this.#result(request.item, content, { plan: request.plan });
    } else {
      const { answers } = answer;
      const given = Object.entries(answers ?? {}).map(
        ([question, value]) => `"${question}"="${[value].flat().join(", ")}"`,
      );
      this.#result(request.item, `Your questions have been answered: ${given.join(", ")}.`, { answers });
    }
  }

  delegated({ id, item, title, prompt }: Subagent): void {
    this.#call(item, "Agent", { description: title, prompt, subagent_type: "general-purpose" });
    const task = { task_id: id, run_id: id, tool_use_id: item, description: title, subagent_type: "general-purpose" };
    this.#system("task_started", { ...task, is_backgrounded: false, spawn_depth: 1, task_type: "local_agent", prompt });
    this.#user([{ type: "text", text: prompt }], { parent_tool_use_id: item, agent_id: id, task_description: title });
  }

  reported({ id, item, report }: Subagent): void {
    this.#system("task_updated", { task_id: id, run_id: id, patch: { status: "completed", end_time: Date.now() } });
    const usage = { total_tokens: 1557, tool_uses: 0, duration_ms: 1 };
    const done = { task_id: id, run_id: id, tool_use_id: item, status: "completed", summary: report, usage };
    this.#system("task_notification", { ...done, output_file: "" });
    this.#result(item, report, { status: "completed", agentId: id, content: [{ type: "text", text: report }] });
  }

  ended(ending: Ending): void {
    this.failed = ending.outcome !== "completed";
    if (ending.outcome === "interrupted") this.#endInterrupted(ending);
    else if (ending.outcome === "failed") this.#endFailed(ending);
    else {
      this.#message.end("end_turn");
      const more = { subtype: "success", is_error: false, api_error_status: null, result: ending.text };
      this.#finish(ending, { ...more, stop_reason: "end_turn", terminal_reason: "completed" });
    }
  }

  #endInterrupted(ending: Ending): void {
    for (const id of this.#open.keys()) this.withdraw(id);
    const streaming = this.#message.isOpen && ending.openTools.length === 0;
    if (ending.partial) {
      const kind = ending.partial.channel === "text" ? "text" : "thinking";
      this.#message.complete(ending.partial.item, kind, ending.partial.text, { aborted: true });
    }
    for (const call of ending.openTools)
      this.#result(call.item, "The tool was stopped while running.", "User rejected tool use", true);
    this.#user([{ type: "text", text: streaming ? REJECTED : REJECTED_TOOL }], {});
    this.#message.end(null, true);
    this.#finish(ending, {
      subtype: "error_during_execution",
      is_error: true,
      stop_reason: streaming ? null : "tool_use",
      terminal_reason: streaming ? "aborted_streaming" : "aborted_tools",
      errors: ["[ede_diagnostic] result_type=user last_content_type=n/a"],
    });
  }

  #endFailed(ending: Ending): void {
    const known = API_ERRORS[ending.error?.category ?? "unknown"] ?? API_ERRORS.unknown;
    const { error, status, text, reason } = known as NonNullable<typeof known>;
    this.#message.end("end_turn");
    const message = {
      id: randomUUID(),
      type: "message",
      role: "assistant",
      model: "<synthetic>",
      content: [{ type: "text", text }],
      stop_reason: "stop_sequence",
      stop_sequence: "",
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    const about = { error, is_api_error_message: true, ...(status ? { api_error_status: status } : {}) };
    this.#write({ type: "assistant", message, ...this.#tail(), timestamp: new Date().toISOString(), ...about });
    const more = { subtype: "success", is_error: true, api_error_status: status, result: text };
    this.#finish(ending, { ...more, stop_reason: "stop_sequence", terminal_reason: reason ?? "api_error" });
  }

  #finish(ending: Ending, more: Json): void {
    const uuids =
      this.messages.length > 0 ? { user_message_uuid: this.messages[0], user_message_uuids: this.messages } : {};
    const rounds = ending.outcome === "completed" ? ending.rounds : 0;
    this.#write(resultFrame(this.#session, rounds, ending, { ...more, ...uuids }));
  }

  #requestBody(request: Request): Json {
    if (request.kind === "approval") return permissionRequest(request.call, this.#session.cwd);
    const name = request.kind === "plan" ? "ExitPlanMode" : "AskUserQuestion";
    const input = request.kind === "plan" ? { plan: request.plan } : { questions: request.questions.map(asTheirs) };
    this.#call(request.item, name, input);
    const about = { tool_name: name, display_name: name, input, tool_use_id: request.item };
    return { subtype: "can_use_tool", ...about, requires_user_interaction: true };
  }

  #grant(permission: Json): void {
    if (permission.type === "setMode") this.#session.mode = asText(permission.mode, this.#session.mode);
    for (const rule of asObjects(permission.rules)) this.#allowedCommands.add(asText(rule.ruleContent));
  }

  #call(item: string, name: string, input: Json): void {
    this.#message.tool(item, name, input);
    this.#message.end("tool_use");
  }

  #result(item: string, content: string, structured: unknown, isError = false): void {
    const block = { type: "tool_result", tool_use_id: item, content, ...(isError ? { is_error: true } : {}) };
    this.#user([block], { tool_use_result: structured });
  }

  #user(content: Json[], more: Json): void {
    const message = { role: "user", content };
    this.#write({ type: "user", message, ...this.#tail(), timestamp: new Date().toISOString(), ...more });
  }

  #system(subtype: string, more: Json): void {
    this.#write({ type: "system", subtype, ...more, uuid: randomUUID(), session_id: this.#session.id });
  }

  #tail(): Json {
    return { parent_tool_use_id: null, session_id: this.#session.id, uuid: randomUUID() };
  }
}

function asTheirs(question: { header: string; text: string; options: unknown }): Json {
  return { question: question.text, header: question.header, options: question.options, multiSelect: false };
}
