import { randomBytes } from "node:crypto";
import type {
  Answer,
  Channel,
  Ending,
  FileChange,
  PlanEntry,
  Request,
  Subagent,
  ToolCall,
  ToolOutcome,
  TurnSink,
} from "@gantry/scripted/agent";
import { asArray, asObject, asText, type Json } from "@gantry/scripted/json";
import { agentMessage, ERROR_INFO, newId, type ThreadState, turnObject, userMessage } from "./frames.ts";
import { commandActions, commandLine, gitDiff, isPatch, toolItem } from "./items.ts";

/** The connection to the client. Requests are answered by id; the first id is 0. */
export interface CodexWire {
  notify(method: string, params: Json): void;
  request(method: string, params: Json): { id: number; result: Promise<Json> };
  forget(id: number): void;
}

const ONE_ROUND = { input: 1500, cached: 300, output: 57, reasoning: 10 };

/** Writes a turn as Codex's app-server notifications. */
export class CodexSink implements TurnSink {
  readonly turnId = newId();
  readonly #thread: ThreadState;
  readonly #wire: CodexWire;
  readonly #totals: { rounds: number };
  readonly #granted: Set<string>;
  readonly #prompt: string;
  readonly #open = new Set<string>();
  readonly #asking = new Set<number>();
  readonly #changes = new Map<string, FileChange>();
  readonly #startedAt = Date.now();
  #last: Json | null = null;

  /** `totals` and `granted` belong to the thread: usage is cumulative, and "for session" grants persist. */
  constructor(thread: ThreadState, wire: CodexWire, prompt: string, shared: { rounds: number; granted: Set<string> }) {
    this.#thread = thread;
    this.#wire = wire;
    this.#prompt = prompt;
    this.#totals = shared;
    this.#granted = shared.granted;
  }

  itemId(kind: "message" | "reasoning" | "tool"): string {
    const prefix = { message: "msg", reasoning: "rs", tool: "call" }[kind];
    return `${prefix}_${randomBytes(10).toString("hex")}`;
  }

  started(): void {
    this.#status({ type: "active", activeFlags: [] });
    const turn = turnObject(this.turnId, "inProgress", { startedAt: Math.floor(this.#startedAt / 1000) });
    this.#wire.notify("turn/started", { threadId: this.#thread.id, turn });
    this.userMessage(this.#prompt);
  }

  /** The message that started the turn, or a steering message. */
  userMessage(text: string): void {
    const id = newId();
    this.#itemStarted(userMessage(id, text, false));
    this.#itemCompleted(userMessage(id, text, true));
  }

  delta(item: string, channel: Channel, text: string): void {
    if (channel === "text") {
      this.#openMessage(item);
      this.#notify("item/agentMessage/delta", { itemId: item, delta: text });
    } else if (channel === "reasoning") {
      this.#openReasoning(item);
      this.#notify("item/reasoning/summaryTextDelta", { itemId: item, delta: text, summaryIndex: 0 });
    } else if (channel === "output") {
      this.#notify("item/commandExecution/outputDelta", { itemId: item, delta: text });
    }
  }

  completeMessage(item: string, text: string): void {
    this.#openMessage(item);
    this.#last = agentMessage(item, text, true);
    this.#itemCompleted(this.#last);
  }

  thought(item: string, text: string): void {
    this.#openReasoning(item);
    const now = Date.now();
    this.#itemCompleted({
      type: "reasoning",
      id: item,
      summary: [text],
      content: [],
      startedAtMs: now,
      completedAtMs: now,
    });
  }

  planned(entries: PlanEntry[]): void {
    const statuses = { pending: "pending", in_progress: "inProgress", completed: "completed" };
    const plan = entries.map((entry) => ({ step: entry.text, status: statuses[entry.status] }));
    this.#notify("turn/plan/updated", { explanation: null, plan });
  }

  toolsStarted(calls: ToolCall[]): void {
    for (const call of calls) this.#itemStarted(toolItem(call, this.#thread.cwd, null));
  }

  toolEnded(call: ToolCall, outcome: ToolOutcome): void {
    this.#itemCompleted(toolItem(call, this.#thread.cwd, outcome));
    if (outcome.change) {
      this.#changes.set(outcome.change.path, outcome.change);
      this.#notify("turn/diff/updated", { diff: gitDiff(this.#changes.values(), this.#thread.cwd) });
    }
    this.#usage();
  }

  mustAsk(call: ToolCall): boolean {
    const { approvalPolicy, sandbox } = this.#thread;
    const { step } = call;
    if (approvalPolicy === "never" || sandbox === "danger-full-access" || this.#granted.has(grantKey(call)))
      return false;
    if (approvalPolicy === "untrusted") return isPatch(call) || (step.do === "run" && !step.harmless);
    return sandbox === "read-only" && isPatch(call);
  }

  ask(request: Request): { id: string; answer: Promise<Answer> } {
    const flag = request.kind === "approval" ? "waitingOnApproval" : "waitingOnUserInput";
    this.#status({ type: "active", activeFlags: [flag] });
    const { method, params } = this.#requestOf(request);
    const { id, result } = this.#wire.request(method, { ...this.#place(), ...params });
    this.#asking.add(id);
    const answer = result.then((value) => {
      this.#resolveRequest(id);
      this.#status({ type: "active", activeFlags: [] });
      return this.#read(request, value);
    });
    return { id: String(id), answer };
  }

  withdraw(id: string): void {
    this.#wire.forget(Number(id));
    this.#resolveRequest(Number(id));
    this.#status({ type: "active", activeFlags: [] });
  }

  answered(): void {}

  delegated({ item, title, prompt }: Subagent): void {
    this.#itemStarted(collaboration(item, this.#thread.id, `${title}: ${prompt}`, "inProgress"));
  }

  reported({ item, report }: Subagent): void {
    this.#itemCompleted(collaboration(item, this.#thread.id, report, "completed"));
  }

  ended(ending: Ending): void {
    const error = ending.error ? this.#errorOf(ending.error) : null;
    if (error) this.#notify("error", { error, willRetry: false });
    if (ending.outcome === "completed") this.#usage();
    const asked = [...this.#asking];
    this.#status({ type: "idle" });
    const now = Date.now();
    const turn = turnObject(this.turnId, ending.outcome, {
      items: ending.outcome === "completed" && this.#last ? [this.#last] : [],
      itemsView: ending.outcome === "completed" ? "summary" : "notLoaded",
      error,
      startedAt: Math.floor(this.#startedAt / 1000),
      completedAt: Math.floor(now / 1000),
      durationMs: now - this.#startedAt,
    });
    this.#wire.notify("turn/completed", { threadId: this.#thread.id, turn });
    for (const id of asked) {
      this.#wire.forget(id);
      this.#resolveRequest(id);
    }
  }

  #requestOf(request: Request): { method: string; params: Json } {
    if (request.kind === "question") {
      const questions = request.questions.map(asTheirs);
      const params = { itemId: request.item, questions, isBlocking: true, autoResolutionMs: null };
      return { method: "item/tool/requestUserInput", params };
    }
    if (request.kind === "plan") {
      const options = ["Yes, go ahead", "No, keep planning"].map((label) => ({ label, description: label }));
      const question = { id: "plan", header: "Plan", question: request.plan, isOther: true, isSecret: false, options };
      const params = { itemId: request.item, questions: [question], isBlocking: true, autoResolutionMs: null };
      return { method: "item/tool/requestUserInput", params };
    }
    const { call } = request;
    const common = { itemId: call.item, startedAtMs: Date.now() };
    if (isPatch(call))
      return { method: "item/fileChange/requestApproval", params: { ...common, reason: null, grantRoot: null } };
    const amendment = call.step.do === "run" ? ["/bin/bash", "-lc", call.step.command] : [];
    return {
      method: "item/commandExecution/requestApproval",
      params: {
        kind: "command",
        ...common,
        environmentId: "local",
        command: commandLine(call),
        cwd: this.#thread.cwd,
        commandActions: commandActions(call),
        proposedExecpolicyAmendment: amendment,
        availableDecisions: [
          "accept",
          { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } },
          "cancel",
        ],
      },
    };
  }

  #read(request: Request, result: Json): Answer {
    if (request.kind !== "approval") {
      const given = Object.entries(asObject(result.answers));
      const answers = given.map(([id, value]): [string, string[]] => [
        id,
        asArray(asObject(value).answers).map(String),
      ]);
      return { decision: "allow", answers: Object.fromEntries(answers) };
    }
    const { decision } = result;
    if (decision === "accept") return { decision: "allow" };
    if (decision === "acceptForSession" || asObject(decision).acceptWithExecpolicyAmendment) {
      this.#granted.add(grantKey(request.call));
      return { decision: "allow_session" };
    }
    return decision === "cancel" ? { decision: "cancel" } : { decision: "deny", message: "declined by the user" };
  }

  #errorOf({ category, message }: { category: string; message: string }): Json {
    const codexErrorInfo = ERROR_INFO[category] ?? "other";
    return { message, codexErrorInfo, additionalDetails: null, misalignment: null };
  }

  #usage(): void {
    this.#totals.rounds++;
    const tokenUsage = { total: tokens(this.#totals.rounds), last: tokens(1), modelContextWindow: 258_400 };
    this.#notify("thread/tokenUsage/updated", { tokenUsage });
  }

  #openMessage(item: string): void {
    if (this.#open.has(item)) return;
    this.#open.add(item);
    this.#itemStarted(agentMessage(item, "", false));
  }

  #openReasoning(item: string): void {
    if (this.#open.has(item)) return;
    this.#open.add(item);
    const now = Date.now();
    this.#itemStarted({ type: "reasoning", id: item, summary: [], content: [], startedAtMs: now, completedAtMs: null });
    this.#notify("item/reasoning/summaryPartAdded", { itemId: item, summaryIndex: 0 });
  }

  #itemStarted(item: Json): void {
    this.#notify("item/started", { item, startedAtMs: item.startedAtMs ?? Date.now() });
  }

  #itemCompleted(item: Json): void {
    this.#notify("item/completed", { item, completedAtMs: Date.now() });
  }

  #resolveRequest(requestId: number): void {
    if (!this.#asking.delete(requestId)) return;
    this.#wire.notify("serverRequest/resolved", { threadId: this.#thread.id, requestId });
  }

  #status(status: Json): void {
    this.#wire.notify("thread/status/changed", { threadId: this.#thread.id, status });
  }

  #notify(method: string, params: Json): void {
    this.#wire.notify(method, { ...this.#place(), ...params });
  }

  #place(): Json {
    return { threadId: this.#thread.id, turnId: this.turnId };
  }
}

function tokens(rounds: number): Json {
  return {
    totalTokens: (ONE_ROUND.input + ONE_ROUND.output) * rounds,
    inputTokens: ONE_ROUND.input * rounds,
    cachedInputTokens: ONE_ROUND.cached * rounds,
    cacheWriteInputTokens: 0,
    outputTokens: ONE_ROUND.output * rounds,
    reasoningOutputTokens: ONE_ROUND.reasoning * rounds,
  };
}

function grantKey({ step }: ToolCall): string {
  return step.do === "run" ? `run ${step.command}` : "patch";
}

function asTheirs(question: { id: string; header: string; text: string; options: unknown }): Json {
  const { id, header, text, options } = question;
  return { id, header: asText(header), question: text, isOther: true, isSecret: false, options };
}

function collaboration(id: string, threadId: string, prompt: string, status: string): Json {
  const now = Date.now();
  return {
    type: "collabAgentToolCall",
    id,
    tool: "spawnAgent",
    status,
    senderThreadId: threadId,
    receiverThreadIds: [],
    prompt,
    startedAtMs: now,
    completedAtMs: status === "completed" ? now : null,
  };
}
