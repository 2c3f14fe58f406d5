import { randomUUID } from "node:crypto";
import {
  type Answer,
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

const NAMES = { write: "create_file", edit: "edit_file", read: "Read", run: "Bash" } as const;
const TOOLS = [
  "Bash",
  "create_file",
  "edit_file",
  "glob",
  "Grep",
  "oracle",
  "Read",
  "Task",
  "todo_write",
  "web_search",
];
const USAGE = {
  input_tokens: 1200,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 300,
  output_tokens: 57,
  max_tokens: 968_000,
  service_tier: "standard",
};

/** Writes a turn in Amp's format: complete messages only. Amp has no approvals: a call that is not allowed is denied. */
export class AmpSink implements TurnSink {
  readonly #host: Host;
  readonly #talk: PrintTalk;

  constructor(host: Host, talk: PrintTalk) {
    this.#host = host;
    this.#talk = talk;
    const session_id = talk.conversation.id;
    host.output.use({
      foreign: (frame) => ({ ...frame, session_id: "T-00000000-0000-4000-8000-00000000f0e1" }),
      unknown: () => ({ type: "x_future", session_id }),
    });
  }

  itemId(): string {
    return `toolu_${randomUUID().replaceAll("-", "").slice(0, 22)}`;
  }

  started(): void {
    const { cwd } = this.#talk.conversation;
    this.#write({ type: "system", subtype: "init", cwd, tools: TOOLS, mcp_servers: [] });
    this.#talk.asked.ask(this.#talk.model);
  }

  /** Amp does not stream. */
  delta(): void {}

  completeMessage(_: string, text: string, final: boolean): void {
    this.#assistant([{ type: "text", text }], final ? "end_turn" : "tool_use");
    this.#talk.asked.note("assistant", text);
  }

  thought(_: string, text: string): void {
    if (this.#host.argv.includes("--stream-json-thinking")) {
      this.#assistant([{ type: "thinking", thinking: text }], "tool_use");
    }
  }

  planned(entries: PlanEntry[]): void {
    const item = this.itemId();
    const todos = entries.map(({ text, status }, index) => ({ id: String(index + 1), content: text, status }));
    this.#call(item, "todo_write", { todos });
    this.#result(item, "The to-do list is set.", false);
  }

  toolsStarted(calls: ToolCall[]): void {
    const { cwd } = this.#talk.conversation;
    const content = calls.map(({ item, step }) => toolUse(item, NAMES[step.do], inputOf(step, cwd)));
    this.#assistant(content, "tool_use");
  }

  toolEnded({ item, step }: ToolCall, { status, output, exitCode }: ToolOutcome): void {
    const content = step.do === "run" && status !== "denied" ? JSON.stringify({ output, exitCode }) : output;
    this.#result(item, content, status !== "ok");
  }

  /** File edits are allowed; commands only if the settings list them. */
  mustAsk({ step }: ToolCall): boolean {
    return step.do === "run" && !this.#host.argv.includes("--dangerously-allow-all");
  }

  ask(request: Request): { id: string; answer: Promise<Answer> } {
    const what = request.kind === "approval" ? NAMES[request.call.step.do] : "a question";
    const message = `Tool call denied: ${what} is not allowed by the settings, and there is no user to ask.`;
    return { id: "", answer: Promise.resolve({ decision: "deny", message }) };
  }

  withdraw(): void {}

  answered(_: Request, answer: Answer): void {
    this.#talk.asked.note("tool", answer.message ?? "");
  }

  delegated({ item, title, prompt }: Subagent): void {
    this.#call(item, "Task", { description: title, prompt });
    this.#write({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } }, item);
  }

  reported({ item, report }: Subagent): void {
    this.#assistant([{ type: "text", text: report }], "end_turn", item);
    this.#result(item, report, false);
  }

  ended({ outcome, error, rounds, durationMs, text }: Ending): void {
    const more = { duration_ms: durationMs, num_turns: rounds };
    if (outcome === "completed") {
      this.#line({ type: "result", subtype: "success", is_error: false, result: text, ...more });
      return;
    }
    const errorText = error ? `${error.status ?? ""} ${error.message}`.trim() : "The turn was stopped.";
    this.#line({ type: "result", subtype: "error_during_execution", is_error: true, error: errorText, ...more });
  }

  #call(item: string, name: string, input: Json): void {
    this.#assistant([toolUse(item, name, input)], "tool_use");
  }

  #assistant(content: Json[], stop_reason: string, parent: string | null = null): void {
    const message = { type: "message", role: "assistant", content, stop_reason, usage: USAGE };
    this.#write({ type: "assistant", message }, parent);
  }

  #result(item: string, content: string, isError: boolean): void {
    const block = { type: "tool_result", tool_use_id: item, content, is_error: isError };
    this.#write({ type: "user", message: { role: "user", content: [block] } });
    this.#talk.asked.note("tool", content);
    this.#talk.asked.ask(this.#talk.model);
  }

  #write(line: Json, parent: string | null = null): void {
    this.#line(line.type === "system" ? line : { ...line, parent_tool_use_id: parent });
  }

  #line(line: Json): void {
    this.#host.output.write({ ...line, session_id: this.#talk.conversation.id });
  }
}

function toolUse(id: string, name: string, input: Json): Json {
  return { type: "tool_use", id, name, input };
}

function inputOf(step: ToolStep, cwd: string): Json {
  if (step.do === "run") return { cmd: step.command };
  const path = inFolder(cwd, step.path);
  if (step.do === "write") return { path, content: step.content };
  return step.do === "edit" ? { path, old_str: step.before, new_str: step.after } : { path };
}
