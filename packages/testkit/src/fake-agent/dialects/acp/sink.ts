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
import { asObject, asText, type Json } from "@gantry/scripted/json";
import type { AskedLog } from "../../asked.ts";
import type { AcpProfile, AcpSession } from "./profile.ts";

/** The part of the connection that the sink uses. */
export interface AcpWire {
  notify(method: string, params: Json): void;
  request(method: string, params: Json): { id: number; result: Promise<Json> };
  forget(id: number): void;
  /** Sends the result of the prompt. */
  answer(result: Json): void;
  refuse(error: Json): void;
}

/** Writes a turn as `session/update`s, and puts requests to the client. */
export class AcpSink implements TurnSink {
  readonly #profile: AcpProfile;
  readonly #session: AcpSession;
  readonly #wire: AcpWire;
  readonly #asked: AskedLog;
  readonly #granted: Set<string>;
  readonly #open = new Set<number>();
  readonly #streamed = new Set<string>();

  constructor(profile: AcpProfile, session: AcpSession, wire: AcpWire, asked: AskedLog, granted: Set<string>) {
    this.#profile = profile;
    this.#session = session;
    this.#wire = wire;
    this.#asked = asked;
    this.#granted = granted;
  }

  itemId(): string {
    return `call_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
  }

  started(): void {
    this.#asked.ask(this.#session.model);
  }

  delta(item: string, channel: Channel, text: string): void {
    if (channel !== "text" && channel !== "reasoning") return;
    this.#streamed.add(item);
    const sessionUpdate = channel === "text" ? "agent_message_chunk" : "agent_thought_chunk";
    this.#update({ sessionUpdate, content: { type: "text", text } });
  }

  /** A streamed text needs no end. */
  completeMessage(item: string, text: string): void {
    if (!this.#streamed.delete(item)) this.delta(this.itemId(), "text", text);
    this.#asked.note("assistant", text);
  }

  thought(item: string, text: string): void {
    if (!this.#streamed.delete(item)) this.delta(this.itemId(), "reasoning", text);
  }

  planned(entries: PlanEntry[]): void {
    const line = this.#profile.planned(entries);
    if ("update" in line) this.#update(line.update);
    else this.#wire.notify(line.method, line.params);
    this.#next("the list is set");
  }

  toolsStarted(calls: ToolCall[]): void {
    for (const call of calls) {
      this.#update({
        sessionUpdate: "tool_call",
        toolCallId: call.item,
        ...this.#profile.started(call, this.#session),
      });
    }
  }

  toolEnded(call: ToolCall, outcome: ToolOutcome): void {
    const update = this.#profile.ended(call, outcome, this.#session);
    this.#update({ sessionUpdate: "tool_call_update", toolCallId: call.item, ...update });
    this.#next(outcome.output);
  }

  mustAsk(call: ToolCall): boolean {
    if (this.#profile.forbids(call, this.#session)) return true;
    return this.#profile.asks(call, this.#session) && !this.#granted.has(grantOf(call));
  }

  ask(request: Request): { id: string; answer: Promise<Answer> } {
    if (request.kind === "approval") return this.#approval(request.call);
    const own = this.#profile.put(request);
    if (!own) return { id: "", answer: Promise.resolve({ decision: "deny", message: "There is no client to ask." }) };
    const { id, result } = this.#wire.request(own.method, { sessionId: this.#session.id, ...own.params });
    return { id: this.#keep(id), answer: result.then((reply) => this.#settleRequest(id, own.read(reply))) };
  }

  #approval(call: ToolCall): { id: string; answer: Promise<Answer> } {
    if (this.#profile.forbids(call, this.#session)) {
      return { id: "", answer: Promise.resolve({ decision: "deny", message: "Not in this mode." }) };
    }
    const toolCall = { toolCallId: call.item, ...this.#profile.asked(call, this.#session) };
    const params = { sessionId: this.#session.id, toolCall, options: this.#profile.options };
    const { id, result } = this.#wire.request("session/request_permission", params);
    return { id: this.#keep(id), answer: result.then((reply) => this.#settleRequest(id, this.#decision(call, reply))) };
  }

  #decision(call: ToolCall, result: Json): Answer {
    const { outcome, optionId } = asObject(result.outcome);
    if (outcome !== "selected") return { decision: "deny", message: "The request was cancelled." };
    const kind = this.#profile.options.find((option) => option.optionId === optionId)?.kind ?? "";
    if (kind === "allow_always") this.#granted.add(grantOf(call));
    return kind.startsWith("allow") ? { decision: "allow" } : { decision: "deny", message: "The user declined." };
  }

  withdraw(id: string): void {
    const own = Number(id);
    this.#open.delete(own);
    this.#wire.forget(own);
    this.#wire.notify("$/cancel_request", { requestId: own });
  }

  answered(request: Request, answer: Answer): void {
    if (request.kind === "question") {
      const given = request.questions.map(
        ({ id, text }) => `${text} ${[answer.answers?.[id] ?? []].flat().join(", ")}`,
      );
      this.#next(answer.answers ? given.join("\n") : (answer.message ?? "no answer"));
    } else this.#next(answer.decision);
  }

  delegated(subagent: Subagent): void {
    this.#update({ sessionUpdate: "tool_call", toolCallId: subagent.item, ...this.#profile.delegated(subagent) });
  }

  reported(subagent: Subagent): void {
    const { update, after } = this.#profile.reported(subagent);
    if (after) this.#wire.notify(after.method, after.params);
    this.#update({ sessionUpdate: "tool_call_update", toolCallId: subagent.item, ...update });
    this.#next(subagent.report);
  }

  ended(ending: Ending): void {
    for (const id of this.#open) this.#wire.forget(id);
    this.#open.clear();
    for (const update of this.#profile.closing(this.#session)) this.#update(update);
    if (ending.outcome === "interrupted") return this.#wire.answer({ stopReason: "cancelled" });
    const failure = ending.error && this.#profile.failed(ending.error);
    if (failure && "error" in failure) return this.#wire.refuse(failure.error);
    if (failure) this.delta(this.itemId(), "text", failure.text);
    this.#wire.answer({ stopReason: "end_turn", ...(failure ? {} : this.#profile.result(ending)) });
  }

  trailed(): void {
    const amount = Number(((this.#session.turns.length + 1) / 100).toFixed(2));
    for (const update of this.#profile.closing(this.#session)) {
      this.#update({ ...update, cost: { amount, currency: "USD" } });
    }
  }

  #keep(id: number): string {
    this.#open.add(id);
    return String(id);
  }

  #settleRequest(id: number, answer: Answer): Answer {
    this.#open.delete(id);
    return answer;
  }

  /** Logs the tool result as the next model request. */
  #next(result: string): void {
    this.#asked.note("tool", result);
    this.#asked.ask(this.#session.model);
  }

  #update(update: Json): void {
    this.#wire.notify("session/update", { sessionId: this.#session.id, update });
  }
}

function grantOf({ step }: ToolCall): string {
  return step.do === "run" ? `run ${asText(step.command).split(" ")[0]}` : step.do;
}
