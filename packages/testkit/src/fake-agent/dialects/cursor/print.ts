import { randomUUID } from "node:crypto";
import {
  type Answer,
  type Channel,
  type Ending,
  type Host,
  inFolder,
  type PlanEntry,
  type Request,
  type Subagent,
  type ToolCall,
  type ToolOutcome,
  type ToolStep,
  type TurnSink,
} from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";
import type { PrintTalk } from "../print.ts";

const NAMES = { write: "writeToolCall", edit: "editToolCall", read: "readToolCall", run: "shellToolCall" } as const;

/**
 * Writes a turn in the format of `--output-format stream-json`. With `--stream-partial-output`, text is streamed in chunks
 * with a timestamp and then repeated in full: with the model call id before tools, without it at the end.
 */
export class CursorPrintSink implements TurnSink {
  readonly #host: Host;
  readonly #talk: PrintTalk;
  readonly #partial: boolean;
  #text = "";

  constructor(host: Host, talk: PrintTalk) {
    this.#host = host;
    this.#talk = talk;
    this.#partial = host.argv.includes("--stream-partial-output");
    host.output.use({
      foreign: (frame) => ({ ...frame, session_id: "00000000-0000-4000-8000-00000000f0e1" }),
      unknown: () => ({ type: "x_future", session_id: talk.conversation.id }),
    });
  }

  itemId(): string {
    return `tool_${randomUUID()}`;
  }

  started(): void {
    const { conversation, model, asked } = this.#talk;
    const permissionMode = this.#host.argv.includes("--force") ? "bypassPermissions" : "default";
    this.#line({
      type: "system",
      subtype: "init",
      apiKeySource: "login",
      cwd: conversation.cwd,
      model,
      permissionMode,
    });
    asked.ask(model);
  }

  delta(_: string, channel: Channel, text: string): void {
    if (channel === "reasoning") this.#line({ type: "thinking", subtype: "delta", text, timestamp_ms: Date.now() });
    if (channel === "text" && this.#partial) this.#assistant(text, { timestamp_ms: Date.now() });
  }

  completeMessage(_: string, text: string, final: boolean): void {
    this.#assistant(text, final ? {} : { model_call_id: randomUUID(), timestamp_ms: Date.now() });
    this.#text += text;
    this.#talk.asked.note("assistant", text);
  }

  thought(): void {
    this.#line({ type: "thinking", subtype: "completed", timestamp_ms: Date.now() });
  }

  planned(entries: PlanEntry[]): void {
    const todos = entries.map(({ text, status }, index) => ({ id: String(index + 1), content: text, status }));
    this.#tool("started", this.itemId(), { updateTodosToolCall: { args: { todos, merge: false } } });
  }

  toolsStarted(calls: ToolCall[]): void {
    for (const { item, step } of calls) this.#tool("started", item, { [NAMES[step.do]]: { args: this.#args(step) } });
  }

  toolEnded({ item, step }: ToolCall, outcome: ToolOutcome): void {
    const result = resultOf(step, outcome, this.#talk.conversation.cwd);
    this.#tool("completed", item, { [NAMES[step.do]]: { args: this.#args(step), result } });
    this.#talk.asked.note("tool", outcome.output);
    this.#talk.asked.ask(this.#talk.model);
  }

  /** Print mode has no approvals: without `--force`, changes are only proposed. */
  mustAsk({ step }: ToolCall): boolean {
    return step.do !== "read" && !this.#host.argv.includes("--force");
  }

  ask(_: Request): { id: string; answer: Promise<Answer> } {
    return { id: "", answer: Promise.resolve({ decision: "deny", message: "Not allowed without --force" }) };
  }

  withdraw(): void {}

  answered(): void {}

  delegated({ item, title, prompt }: Subagent): void {
    this.#tool("started", item, { taskToolCall: { args: { description: title, prompt } } });
  }

  reported({ item, title, prompt, report }: Subagent): void {
    const result = { success: { content: report } };
    this.#tool("completed", item, { taskToolCall: { args: { description: title, prompt }, result } });
  }

  ended({ outcome, error, rounds, durationMs }: Ending): void {
    // A failure is printed to stderr only, without a result line.
    if (outcome !== "completed") return this.#host.stderr(`Error: ${error?.message ?? "Aborted"}\n`);
    const usage = { inputTokens: 1200 * rounds, outputTokens: 57 * rounds, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const more = { duration_ms: durationMs, duration_api_ms: durationMs, is_error: false, request_id: randomUUID() };
    this.#line({ type: "result", subtype: "success", result: this.#text, ...more, usage });
  }

  #assistant(text: string, more: Json): void {
    this.#line({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] }, ...more });
  }

  #tool(subtype: string, call_id: string, tool_call: Json): void {
    this.#line({ type: "tool_call", subtype, call_id, tool_call, timestamp_ms: Date.now() });
  }

  #args(step: ToolStep): Json {
    if (step.do === "run") return { command: step.command };
    const path = inFolder(this.#talk.conversation.cwd, step.path);
    return step.do === "write" ? { path, fileText: step.content } : { path };
  }

  #line(line: Json): void {
    this.#host.output.write({ ...line, session_id: this.#talk.conversation.id });
  }
}

function resultOf(step: ToolStep, { status, output, exitCode }: ToolOutcome, cwd: string): Json {
  if (status === "denied") return { rejected: { reason: output } };
  if (step.do === "run") {
    const ran = { command: step.command, exitCode: exitCode ?? 1, stdout: output, stderr: "" };
    return status === "ok" ? { success: ran } : { failure: ran };
  }
  if (status !== "ok") return { error: { errorMessage: output } };
  if (step.do === "read") return { success: { content: output } };
  return { success: { path: inFolder(cwd, step.path), linesCreated: output.split("\n").length } };
}
