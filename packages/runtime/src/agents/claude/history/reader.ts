import { addUsage, noUsage, type Usage } from "@gantry/protocol";
import { type HistoryEntry, itemId, type Output } from "../../contract.ts";
import { compact, count, type Fields, fields, list, nonBlank, text } from "../../fields.ts";
import { HistoryRecorder } from "../../history/recorder.ts";
import { readAssistant } from "../decode/messages/assistant.ts";
import { readUser } from "../decode/messages/user.ts";
import { initialState, Pass, type State } from "../decode/state.ts";
import { readSystem } from "../decode/system.ts";
import { beginTurn, finish } from "../decode/turn.ts";
import { attachmentsOf, blockText, commandOutput, INTERRUPTED, isPrompt, promptText } from "./prompts.ts";

const LIVE: readonly Output["kind"][] = ["delta", "activity", "retry", "ready", "ack", "taken"];

/** Ignored line types. */
const QUIET =
  /^(queue-operation|summary|custom-title|ai-title|last-prompt|file-history-snapshot|cost-state|api-request.*|atis-latch|tools-used|progress|mode|permission-mode|agent-name|agent-color|pr-link|tag|started|worktree-state|content-replacement|saved_hook_context|attribution-snapshot|marble-.*|speculation-accept)$/;

type Inset = { id: string; path: string; meta: Fields };

/** Reads a stored conversation. Its lines are nearly identical to the printed ones. */
export class ClaudeReader {
  #state: State = initialState({ cwd: "", mode: "inherit", uuid: "history", dir: "" });
  readonly recorder = new HistoryRecorder();
  readonly #subagents: Map<string, Inset>;
  #called: string[] = [];
  #stop: string | undefined;
  #interrupted = false;
  /** Usage of the turn: the last report per message. */
  readonly #used = new Map<string, Usage>();

  constructor(subagents: Map<string, Inset>) {
    this.#subagents = subagents;
  }

  line(value: unknown): void {
    const entry = fields(value);
    const prompt = isPrompt(entry);
    if (prompt && !this.#isTurnRunning()) this.#end();
    this.recorder.time(entry.timestamp);
    if (prompt) return this.#recordPrompt(entry);
    this.read(entry, nonBlank(entry.parent_tool_use_id));
  }

  finish(): void {
    if (!this.#isTurnRunning()) this.#end();
  }

  takeEntries(): HistoryEntry[] {
    return this.recorder.takeEntries();
  }

  /** Readers of the subagents called since the last time. */
  insets(): Subagent[] {
    const called = this.#called.flatMap((call) => {
      const inset = this.#subagents.get(call);
      return inset ? [new Subagent(this, call, inset)] : [];
    });
    this.#called = [];
    return called;
  }

  /** Reads a line of the conversation, or of the subagent started by the call `scope`. */
  read(entry: Fields, scope: string | undefined): void {
    const frame = frameOf(entry, scope);
    switch (entry.type) {
      case "assistant":
        return this.#assistant(frame, scope);
      case "user":
        return this.#user(frame, scope);
      case "system":
        return this.#system(frame);
      case "attachment":
        return this.#recordSteer(fields(entry.attachment), scope);
      default:
        if (!QUIET.test(text(entry.type) ?? "")) this.recorder.raw(entry, "unknown line");
    }
  }

  take(read: (pass: Pass) => void): void {
    const pass = new Pass(this.#state);
    read(pass);
    this.#state = pass.state;
    this.recorder.add(...pass.out.filter(({ kind }) => !LIVE.includes(kind)));
  }

  /** A turn is open and continues: a prompt now is a steer. */
  #isTurnRunning(): boolean {
    return this.#state.turn !== undefined && this.#stop === "tool_use" && !this.#interrupted;
  }

  #recordPrompt(entry: Fields): void {
    const { content } = fields(entry.message);
    const prompt = promptText(content);
    this.#prompt(prompt, attachmentsOf(content));
    // A local command ends without a model response.
    if (prompt.startsWith("/")) this.#stop = "end_turn";
  }

  #prompt(prompt: string, attachments: ReturnType<typeof attachmentsOf>): void {
    this.take((pass) => {
      const steer = pass.state.turn !== undefined;
      const more = { steer: steer || undefined, attachments: attachments.length > 0 ? attachments : undefined };
      pass.emit(compact({ kind: "prompted", text: prompt, ...more } as const));
      beginTurn(pass, []);
    });
  }

  #assistant(frame: Fields, scope: string | undefined): void {
    const message = fields(frame.message);
    if (!scope) this.#stop = text(message.stop_reason) ?? this.#stop;
    if (!scope) this.take((pass) => beginTurn(pass, []));
    this.take((pass) => readAssistant(pass, frame));
    const id = nonBlank(message.id);
    if (id && frame.is_api_error_message !== true) this.#used.set(id, usageOf(fields(message.usage)));
    for (const block of list(message.content).map(fields)) {
      if (block.type === "tool_use" && nonBlank(block.id)) this.#called.push(String(block.id));
    }
  }

  #user(frame: Fields, scope: string | undefined): void {
    const { content } = fields(frame.message);
    if (INTERRUPTED.test(typeof content === "string" ? content : blockText(content)) && !scope) {
      this.#interrupted = true;
      return;
    }
    this.take((pass) => readUser(pass, frame));
  }

  #system(frame: Fields): void {
    if (frame.subtype !== "local_command") return this.take((pass) => readSystem(pass, withMetadata(frame)));
    const output = commandOutput(frame.content);
    this.#stop ??= "end_turn";
    if (output && !output.startsWith("<")) this.recorder.notice("agent", output);
  }

  /** Steers are stored as attachments. */
  #recordSteer(attachment: Fields, scope: string | undefined): void {
    if (attachment.type !== "queued_command" || scope || attachment.commandMode === "task-notification") return;
    const prompt = nonBlank(attachment.prompt) ?? nonBlank(blockText(attachment.prompt));
    if (prompt) this.#prompt(prompt, attachmentsOf(attachment.prompt));
  }

  #end(): void {
    const { turn } = this.#state;
    if (!turn) return;
    const stopped = this.#interrupted || (this.#stop === undefined && !turn.failure && !turn.hasOutput);
    const outcome = stopped ? "interrupted" : turn.failure ? "failed" : "completed";
    const usage = [...this.#used.values()].reduce(addUsage, noUsage);
    const error = outcome === "failed" ? turn.failure : undefined;
    const spent = this.#used.size > 0 ? usage : undefined;
    this.take((pass) => finish(pass, compact({ outcome, usage: spent, servedModel: pass.state.served, error })));
    this.#used.clear();
    this.#stop = undefined;
    this.#interrupted = false;
  }
}

/** One subagent, read from its file. */
class Subagent {
  readonly path: string;
  readonly #reader: ClaudeReader;
  readonly #call: string;
  readonly #id: string;
  readonly #meta: Fields;
  #begun = false;

  constructor(reader: ClaudeReader, call: string, { id, path, meta }: Inset) {
    this.#reader = reader;
    this.#call = call;
    this.#id = id;
    this.#meta = meta;
    this.path = path;
  }

  line(value: unknown): void {
    const entry = fields(value);
    this.#reader.recorder.time(entry.timestamp);
    if (!this.#begun) this.#begin();
    // The first message is the task, which the call contains.
    if (entry.type !== "user" || list(fields(entry.message).content).length > 0) this.#reader.read(entry, this.#call);
  }

  finish(): void {
    const status = this.#meta.finished === false ? ("interrupted" as const) : ("ok" as const);
    if (this.#begun) this.#reader.recorder.event("subagent.ended", { id: this.#id, status });
  }

  takeEntries(): HistoryEntry[] {
    return this.#reader.takeEntries();
  }

  #begin(): void {
    this.#begun = true;
    const type = nonBlank(this.#meta.agentType);
    const title = nonBlank(this.#meta.description) ?? type ?? "Subagent";
    const parent = itemId(this.#call);
    this.#reader.recorder.event("subagent.started", compact({ id: this.#id, parent, type, title }));
  }
}

/** A line of the file in the printed format. */
function frameOf(entry: Fields, scope: string | undefined): Fields {
  const [result] = list(fields(entry.message).content)
    .map(fields)
    .filter((block) => block.type === "tool_result");
  const meta = result && {
    id: result.tool_use_id,
    non_execution_kind: entry.toolDenialKind,
    permission_decision: entry.permissionDecision,
  };
  return compact({
    ...entry,
    parent_tool_use_id: scope,
    is_api_error_message: entry.isApiErrorMessage,
    api_error_status: entry.apiErrorStatus,
    tool_use_result: entry.toolUseResult,
    tool_result_meta: meta && [compact(meta)],
  });
}

function withMetadata(frame: Fields): Fields {
  const { trigger, preTokens, postTokens } = fields(frame.compactMetadata);
  return { ...frame, compact_metadata: compact({ trigger, pre_tokens: preTokens, post_tokens: postTokens }) };
}

function usageOf(tokens: Fields): Usage {
  const cacheRead = count(tokens.cache_read_input_tokens);
  const cacheWrite = count(tokens.cache_creation_input_tokens);
  return {
    input: count(tokens.input_tokens) + cacheRead + cacheWrite,
    output: count(tokens.output_tokens),
    cacheRead,
    cacheWrite,
    reasoning: count(fields(tokens.output_tokens_details).thinking_tokens),
  };
}
