import { setTimeout as sleep } from "node:timers/promises";
import { type PieceSize, pieces } from "../pieces.ts";
import type { Host } from "./host.ts";
import { perform } from "./perform.ts";
import type { Step, ToolStep } from "./script/step.ts";
import type { Answer, Channel, Ending, Request, Subagent, ToolCall, ToolOutcome, TurnSink } from "./sink.ts";

/** Ends the turn from inside a step. */
class TurnOver extends Error {
  readonly outcome: "interrupted" | "failed";
  readonly failure: Ending["error"];

  constructor(outcome: "interrupted" | "failed", failure?: Ending["error"]) {
    super(outcome);
    this.outcome = outcome;
    this.failure = failure;
  }
}

/**
 * One turn of a fake agent: plays steps against a sink. `run` resolves after the sink's `ended`; it never rejects.
 * `interrupt` and `steer` may come at any time. The host's faults make it misbehave.
 */
export class Turn {
  readonly #host: Host;
  readonly #sink: TurnSink;
  readonly #cwd: string;
  readonly #steps: Step[];
  readonly #stop = new AbortController();
  readonly #openTools = new Set<ToolCall>();
  /** Tool call ends that are sent after the end of the turn. */
  readonly #trailing: [ToolCall, ToolOutcome][] = [];
  readonly #startedAt = Date.now();
  #cut = new AbortController();
  #partial: Ending["partial"];
  #text = "";
  #rounds = 1;

  constructor(host: Host, sink: TurnSink, cwd: string, steps: Step[]) {
    this.#host = host;
    this.#sink = sink;
    this.#cwd = cwd;
    this.#steps = [...steps];
  }

  interrupt(): void {
    if (!this.#host.faults.has("ignore-interrupt")) this.#stop.abort();
  }

  /** Inserts steps before the remaining ones, or replaces them; with `cut`, the running message ends at once. */
  steer(steps: Step[], { cut }: { cut: boolean }): void {
    if (cut) {
      this.#steps.length = 0;
      this.#cut.abort();
    }
    this.#steps.unshift(...steps);
  }

  async run(): Promise<Ending> {
    const { faults } = this.#host;
    if (faults.has("crash-after-accept")) return this.#host.exit(1);
    if (faults.has("hang")) return new Promise(() => {});
    if (faults.has("closes-stdin")) this.#host.closeInput();
    this.#sink.started();
    const over = await this.#play().then(
      () => null,
      (error: unknown) => error,
    );
    if (over !== null && !(over instanceof TurnOver)) throw over;
    const ending = this.#makeEnding(over);
    const trailMs = faults.has("trailing") ? faults.number("trailing", 0) : undefined;
    this.#host.output.writeTogether(() => {
      this.#sink.ended(ending);
      if (trailMs === 0) this.#trail();
    });
    if (faults.has("double-turn-end")) this.#sink.ended(ending);
    if (trailMs) await sleep(trailMs).then(() => this.#trail());
    if (faults.has("late-after-cancel") && ending.outcome === "interrupted") await this.#sendLateMessage();
    return ending;
  }

  async #play(): Promise<void> {
    const { faults } = this.#host;
    if (faults.has("logged-out")) {
      throw new TurnOver("failed", { category: "auth", message: "Not logged in · Please run /login" });
    }
    if (faults.has("flood")) this.#flood(faults.number("flood", 5));
    if (faults.has("huge-line")) {
      this.#sink.completeMessage(
        this.#sink.itemId("message"),
        "x".repeat(faults.number("huge-line", 50) * 1_000_000),
        false,
      );
    }
    for (let step = this.#steps.shift(); step; step = this.#steps.shift()) {
      await this.#perform(step);
      this.#checkStopped();
    }
    await this.#dieIfAsked();
  }

  async #perform(step: Step): Promise<void> {
    switch (step.do) {
      case "think":
        return this.#stream("reasoning", step.text, 24, this.#host.pace);
      case "message":
        return this.#stream("text", step.text, step.size ?? 12, step.delay ?? this.#host.pace);
      case "plan":
        return this.#sink.planned(step.entries);
      case "compact":
        return this.#sink.compacted?.();
      case "together":
        return this.#useTools(step.steps);
      case "ask":
        return this.#askFor({ kind: "question", item: this.#sink.itemId("tool"), questions: step.questions });
      case "propose":
        return this.#askFor({ kind: "plan", item: this.#sink.itemId("tool"), plan: step.plan });
      case "delegate":
        return this.#delegate(step);
      case "background":
        return this.#sink.launched?.(step.command, step.title);
      case "burst":
        return this.#burst(step.count);
      case "deltas":
        return this.#deltas(step.count, step.bytes);
      case "fail":
        throw new TurnOver("failed", { category: step.category, message: step.message, status: step.status });
      case "begin":
        return this.#begin(step.text);
      case "hang":
        return this.#unlessStopped(new Promise<void>(() => {}));
      default:
        return this.#useTools([step]);
    }
  }

  async #stream(channel: "text" | "reasoning", text: string, size: PieceSize, delay: number): Promise<void> {
    const item = this.#sink.itemId(channel === "text" ? "message" : "reasoning");
    const partial = { item, channel, text: "" };
    this.#partial = partial;
    this.#cut = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, this.#cut.signal]);
    for (const [index, piece] of pieces(text, size).entries()) {
      this.#sink.delta(item, channel, piece);
      partial.text += piece;
      if (index === 1 && channel === "text") await this.#dieIfAsked();
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => {});
      else if (index % 50 === 49) await this.#host.output.drain();
      this.#checkStopped();
      if (this.#cut.signal.aborted) break;
    }
    this.#partial = undefined;
    if (this.#cut.signal.aborted) return;
    this.#complete(item, channel, text);
  }

  #begin(text: string): void {
    const item = this.#sink.itemId("message");
    this.#partial = { item, channel: "text", text };
    this.#sink.delta(item, "text", text);
  }

  #complete(item: string, channel: Channel, text: string): void {
    const times = this.#host.faults.has("duplicate-ids") ? 2 : 1;
    for (let time = 0; time < times; time++) {
      if (channel === "reasoning") this.#sink.thought(item, text);
      else this.#sink.completeMessage(item, text, this.#steps.length === 0);
    }
    if (channel === "text") this.#text = text;
  }

  async #useTools(steps: ToolStep[]): Promise<void> {
    const calls = steps.map((step): ToolCall => ({ item: this.#sink.itemId("tool"), step, startedAt: Date.now() }));
    this.#rounds++;
    this.#sink.toolsStarted(calls);
    if (!this.#host.faults.has("missing-end")) for (const call of calls) this.#openTools.add(call);
    const answers = calls.map((call) => (this.#sink.mustAsk(call) ? this.#put({ kind: "approval", call }) : null));
    // An interrupt rejects all of them; the loop below handles only the first.
    for (const answer of answers) answer?.catch(() => {});
    const held: [ToolCall, ToolOutcome][] = [];
    for (const [index, call] of calls.entries()) {
      const outcome = await this.#useTool(call, await answers[index]);
      if (this.#host.faults.has("out-of-order")) held.unshift([call, outcome]);
      else this.#endTool(call, outcome);
    }
    for (const [call, outcome] of held) this.#endTool(call, outcome);
  }

  async #useTool(call: ToolCall, answer: Answer | null | undefined): Promise<ToolOutcome> {
    if (answer?.decision === "cancel") throw new TurnOver("interrupted");
    if (answer?.decision === "deny") {
      return {
        status: "denied",
        output: answer.message ?? "The user declined.",
        durationMs: Date.now() - call.startedAt,
      };
    }
    if (answer?.edits) call.step = { ...call.step, ...answer.edits } as ToolStep;
    const onOutput = (text: string) => this.#sink.delta(call.item, "output", text);
    const performed = await perform(call.step, this.#cwd, this.#stop.signal, onOutput);
    this.#checkStopped();
    return { ...performed, durationMs: Date.now() - call.startedAt };
  }

  #endTool(call: ToolCall, outcome: ToolOutcome): void {
    this.#openTools.delete(call);
    if (this.#host.faults.has("missing-end")) return;
    if (this.#host.faults.has("trailing")) return void this.#trailing.push([call, outcome]);
    this.#sink.toolEnded(call, outcome);
    if (this.#host.faults.has("duplicate-ids")) this.#sink.toolEnded(call, outcome);
  }

  async #askFor(request: Request): Promise<void> {
    this.#rounds++;
    const answer = await this.#put(request);
    this.#sink.answered(request, answer);
    if (answer.decision === "cancel") throw new TurnOver("interrupted");
  }

  /** Waits for the user's decision, or withdraws the request if the fault is active. */
  async #put(request: Request): Promise<Answer> {
    const { id, answer } = this.#sink.ask(request);
    const { faults } = this.#host;
    if (!faults.has("approval-withdrawn")) return this.#unlessStopped(answer);
    await sleep(faults.number("approval-withdrawn", 50));
    this.#sink.withdraw(id);
    return { decision: "deny", message: "The request was withdrawn." };
  }

  async #delegate(step: Extract<Step, { do: "delegate" }>): Promise<void> {
    this.#rounds += 2;
    const subagent: Subagent = { id: `sub_${Date.now().toString(36)}`, item: this.#sink.itemId("tool"), ...step };
    this.#sink.delegated(subagent);
    await this.#unlessStopped(sleep(this.#host.pace * 4));
    this.#sink.reported(subagent);
  }

  async #burst(count: number): Promise<void> {
    let call: ToolCall | null = null;
    for (let index = 0; index < count; index++) {
      const last = index === count - 1;
      if (call) {
        this.#sink.toolEnded(call, { status: "ok", output: `output ${index}`, exitCode: 0, durationMs: 1 });
        call = null;
      } else if (index % 3 === 0 && !last) {
        const step: ToolStep = { do: "run", command: `true ${index}`, harmless: true };
        call = { item: this.#sink.itemId("tool"), step, startedAt: Date.now() };
        this.#sink.toolsStarted([call]);
      } else this.#sink.completeMessage(this.#sink.itemId("message"), `message ${index}`, last);
      if (index % 200 === 199) await this.#host.output.drain();
      if (index % 200 === 199) this.#checkStopped();
    }
  }

  async #deltas(count: number, bytes: number): Promise<void> {
    const item = this.#sink.itemId("message");
    const partial = { item, channel: "text" as const, text: "" };
    this.#partial = partial;
    for (let index = 0; index < count; index++) {
      const piece = `${index} `.padEnd(bytes, "abcdefghij").slice(0, Math.max(1, bytes));
      this.#sink.delta(item, "text", piece);
      partial.text += piece;
      if (index % 200 === 199) await this.#host.output.drain();
      if (index % 200 === 199) this.#checkStopped();
    }
    this.#partial = undefined;
    this.#complete(item, "text", partial.text);
  }

  #trail(): void {
    const item = this.#sink.itemId("message");
    this.#sink.delta(item, "text", " That is all.");
    this.#sink.completeMessage(item, " That is all.", true);
    for (const [call, outcome] of this.#trailing) this.#sink.toolEnded(call, outcome);
    this.#sink.trailed?.();
  }

  async #sendLateMessage(): Promise<void> {
    await sleep(this.#host.pace * 2);
    const item = this.#sink.itemId("message");
    this.#sink.delta(item, "text", "and another ");
    this.#sink.delta(item, "text", "thing");
    this.#sink.completeMessage(item, "and another thing", false);
    const call: ToolCall = {
      item: this.#sink.itemId("tool"),
      step: { do: "run", command: "true" },
      startedAt: Date.now(),
    };
    this.#sink.toolsStarted([call]);
    this.#sink.toolEnded(call, { status: "ok", output: "late", exitCode: 0, durationMs: 1 });
  }

  async #dieIfAsked(): Promise<void> {
    const { faults } = this.#host;
    if (faults.has("exit-mid")) await this.#host.exit(faults.number("exit-mid", 1));
    if (faults.has("crash-signal")) await this.#host.crash();
  }

  #flood(megabytes: number): void {
    const line = `warning: ${"the fake agent floods its stderr ".repeat(30)}\n`;
    for (let written = 0; written < megabytes * 1_000_000; written += line.length) this.#host.stderr(line);
  }

  #makeEnding(over: TurnOver | null): Ending {
    return {
      outcome: over?.outcome ?? "completed",
      error: over?.failure,
      text: this.#text,
      rounds: this.#rounds,
      durationMs: Date.now() - this.#startedAt,
      openTools: [...this.#openTools],
      partial: this.#partial,
    };
  }

  async #unlessStopped<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this.#stop;
    const stopped = new Promise<never>((_, reject) => {
      if (signal.aborted) reject(new TurnOver("interrupted"));
      signal.addEventListener("abort", () => reject(new TurnOver("interrupted")), { once: true });
    });
    return Promise.race([promise, stopped]);
  }

  #checkStopped(): void {
    if (this.#stop.signal.aborted) throw new TurnOver("interrupted");
  }
}
