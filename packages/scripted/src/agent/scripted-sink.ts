import { randomBytes } from "node:crypto";
import { asObject, asText, type Json } from "../json.ts";
import { BackgroundCommands } from "./background.ts";
import type { Host } from "./host.ts";
import { inFolder, previewChange } from "./perform.ts";
import type { PlanEntry, ToolStep } from "./script/step.ts";
import type {
  Answer,
  Channel,
  Ending,
  FileChange,
  Request,
  Subagent,
  ToolCall,
  ToolOutcome,
  TurnSink,
} from "./sink.ts";

const TOOLS = {
  write: { name: "write", kind: "edit" },
  edit: { name: "edit", kind: "edit" },
  read: { name: "read", kind: "read" },
  run: { name: "bash", kind: "execute" },
} as const;

const CHOICES = [
  { id: "allow", label: "Allow", effect: "allow_once" },
  { id: "allow_session", label: "Allow for this session", effect: "allow_session" },
  { id: "deny", label: "Deny", effect: "deny" },
];

const DECISIONS = ["allow", "allow_session", "deny", "cancel"] as const;
const CONTEXT_SIZE = 200_000;

/** Writes a turn as unified events. */
export class ScriptedSink implements TurnSink {
  cwd: string;
  mode = "ask";
  model = "";
  readonly #host: Host;
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly #granted = new Set<string>();
  readonly #changes = new Map<string, FileChange>();
  #used = 2_000;

  readonly background = new BackgroundCommands((type, data) => this.#event(type, data));

  constructor(host: Host) {
    this.#host = host;
    this.cwd = host.cwd;
  }

  itemId(): string {
    return newId("itm");
  }

  started(): void {
    this.#changes.clear();
    this.#event("turn.started", {});
  }

  delta(item: string, channel: Channel, text: string): void {
    this.#host.output.write({ type: "delta", item, channel, text });
  }

  completeMessage(item: string, text: string, final: boolean): void {
    this.#event("message.done", { item, text, phase: final ? "final" : "commentary" });
  }

  thought(item: string, text: string): void {
    this.#event("reasoning.done", { item, text, redacted: false });
  }

  planned(entries: PlanEntry[]): void {
    this.#event("plan.updated", { entries });
  }

  compacted(): void {
    this.#event("context.compacted", { trigger: "auto" });
  }

  launched(command: string, title: string): void {
    const item = newId("itm");
    this.#event("tool.started", { item, ...TOOLS.run, title, input: { command } });
    this.background.start(command, title, item, this.cwd);
    this.#event("tool.ended", { item, status: "ok", output: "It runs in the background.", durationMs: 1 });
  }

  toolsStarted(calls: ToolCall[]): void {
    for (const { item, step } of calls) {
      const locations = step.do === "run" ? {} : { locations: [{ path: inFolder(this.cwd, step.path) }] };
      this.#event("tool.started", {
        item,
        ...TOOLS[step.do],
        title: titleOf(step),
        input: inputOf(step),
        ...locations,
      });
    }
  }

  toolEnded(call: ToolCall, outcome: ToolOutcome): void {
    const { change, ...rest } = outcome;
    this.#event("tool.ended", { item: call.item, ...rest, ...(change ? { changes: [change] } : {}) });
    if (!change) return;
    this.#changes.set(change.path, change);
    this.#event("diff.updated", { files: [...this.#changes.values()] });
  }

  /** File changes need approval below `auto-edit`; grave commands always do. */
  mustAsk({ step }: ToolCall): boolean {
    if (step.do === "run") return step.grave === true && this.mode !== "full-auto";
    const changesFile = step.do === "write" || step.do === "edit";
    return changesFile && !["auto-edit", "full-auto"].includes(this.mode) && !this.#granted.has(step.do);
  }

  ask(request: Request): { id: string; answer: Promise<Answer> } {
    const id = newId("inp");
    const answer = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    this.#event("input.requested", { id, blocking: true, ...this.#describe(request) });
    if (request.kind !== "approval") return { id, answer };
    const remember = (given: Answer) => {
      if (given.decision === "allow_session") this.#granted.add(request.call.step.do);
      return given;
    };
    return { id, answer: answer.then(remember) };
  }

  /** Delivers an answer frame. `false` if no request waits for it. */
  settle(id: string, frame: Json): boolean {
    const resolve = this.#open.get(id);
    if (!resolve) return false;
    this.#open.delete(id);
    const decision = DECISIONS.find((known) => known === frame.decision) ?? "deny";
    const answer: Answer = {
      decision,
      ...(frame.edits ? { edits: asObject(frame.edits) } : {}),
      ...(frame.answers ? { answers: asObject(frame.answers) as Answer["answers"] } : {}),
      ...(frame.message ? { message: asText(frame.message) } : {}),
    };
    this.#event("input.resolved", { id, ...answer, by: "user" });
    resolve(answer);
    return true;
  }

  withdraw(id: string): void {
    this.#open.delete(id);
    this.#event("input.resolved", { id, decision: "cancel", by: "agent", reason: "withdrawn by the agent" });
  }

  answered(request: Request, answer: Answer): void {
    if (request.kind === "approval") return;
    const given = Object.values(answer.answers ?? {})
      .flat()
      .join(", ");
    const text =
      request.kind === "plan"
        ? `The plan was answered with ${answer.decision}.`
        : `The user answered: ${given || answer.decision}`;
    this.#event("notice", { kind: "answer", severity: "info", text });
  }

  delegated({ id, item, title }: Subagent): void {
    this.#event("tool.started", { item, name: "task", kind: "think", title, input: { title } });
    this.#event("subagent.started", { id, parent: item, type: "general", title, model: this.model });
  }

  reported({ id, item, report }: Subagent): void {
    this.#event("message.done", { item: newId("itm"), text: report, parent: id });
    this.#event("subagent.ended", { id, status: "ok", summary: report, usage: { input: 300, output: 20 } });
    this.#event("tool.ended", { item, status: "ok", output: report, durationMs: 1 });
  }

  ended(ending: Ending): void {
    for (const { item, startedAt } of ending.openTools) {
      this.#event("tool.ended", { item, status: "interrupted", output: "", durationMs: Date.now() - startedAt });
    }
    for (const id of this.#open.keys()) this.withdraw(id);
    if (ending.partial) this.#closePartial(ending.partial);
    const usage = {
      input: 1_500 * ending.rounds,
      output: 57 * ending.rounds,
      cacheRead: 300,
      cacheWrite: 0,
      reasoning: 10,
    };
    this.#used += 700 * ending.rounds;
    this.#event("context.usage", { used: this.#used, size: CONTEXT_SIZE, origin: "agent" });
    this.#event("turn.ended", {
      outcome: ending.outcome,
      ...(ending.outcome === "interrupted" ? { reason: "interrupted by the user" } : {}),
      usage,
      cost: { usd: 0, source: "agent" },
      servedModel: this.model,
      durationMs: ending.durationMs,
      ...(ending.error ? { error: failureOf(ending.error) } : {}),
    });
  }

  #closePartial({ item, channel, text }: NonNullable<Ending["partial"]>): void {
    if (channel === "text") this.completeMessage(item, text, false);
    else this.thought(item, text);
  }

  #describe(request: Request): Json {
    if (request.kind === "question") {
      const questions = request.questions.map((question) => ({
        ...question,
        multi: false,
        freeform: true,
        secret: false,
      }));
      return {
        kind: "question",
        item: request.item,
        title: questions[0]?.text ?? "A question",
        options: [],
        questions,
      };
    }
    if (request.kind === "plan") {
      return {
        kind: "plan",
        item: request.item,
        title: "Go ahead with this plan?",
        detail: request.plan,
        options: CHOICES,
        questions: [],
      };
    }
    const { item, step } = request.call;
    const change = previewChange(step, this.cwd);
    return {
      kind: "approval",
      item,
      title: titleOf(step),
      tool: { ...TOOLS[step.do], input: inputOf(step), ...(step.do === "run" ? { command: step.command } : {}) },
      ...(change ? { diff: [change] } : {}),
      options: CHOICES,
      questions: [],
    };
  }

  #event(type: string, data: Json): void {
    this.#host.output.write({ type: "event", event: { type, data } });
  }
}

function titleOf(step: ToolStep): string {
  if (step.do === "run") return step.command;
  return `${step.do === "read" ? "Read" : step.do === "write" ? "Write" : "Edit"} ${step.path}`;
}

function inputOf(step: ToolStep): Json {
  switch (step.do) {
    case "run":
      return { command: step.command };
    case "read":
      return { path: step.path };
    case "write":
      return { path: step.path, content: step.content };
    case "edit":
      return { path: step.path, before: step.before, after: step.after };
  }
}

const RETRYABLE = ["rate_limit", "network", "overloaded", "timeout", "crashed"];

function failureOf({ category, message }: NonNullable<Ending["error"]>): Json {
  const retryable = RETRYABLE.includes(category);
  return { category, message, retryable, remedy: "Nothing is broken: the script asked for this failure." };
}

function newId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${randomBytes(8).toString("hex")}`;
}
