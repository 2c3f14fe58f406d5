import { createInterface } from "node:readline";
import type { FaultyAgent } from "./switch.ts";
import type { ActiveSwitch } from "./switches.ts";

type Message = { id?: unknown; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown };
type Stage = "initialize" | "open" | "prompt" | "cancel";

/**
 * A minimal ACP agent. Without switches it is correct: two pieces of text and `end_turn` for each prompt. `readSwitches`
 * is called at each stage, so that a running agent can be repaired.
 */
export class AcpAgent implements FaultyAgent {
  readonly session = "fault-session";
  turn = 0;
  readonly #readSwitches: () => ActiveSwitch[];
  readonly #print: (bytes: string | Uint8Array) => void;
  readonly #asked = new Map<unknown, (answer: unknown) => void>();
  #prompt: unknown;
  #asks = 0;

  constructor(readSwitches: () => ActiveSwitch[], print: (bytes: string | Uint8Array) => void) {
    this.#readSwitches = readSwitches;
    this.#print = print;
  }

  run(): void {
    for (const { fault, argument } of this.#readSwitches()) fault.start?.(this, argument);
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => line !== "" && void this.#receive(JSON.parse(line) as Message));
  }

  write(bytes: string | Uint8Array): void {
    this.#print(bytes);
  }

  send(message: object): void {
    let line: string | Uint8Array = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    for (const { fault, argument } of this.#readSwitches())
      if (fault.line && typeof line === "string") line = fault.line(line, argument);
    this.#print(line);
  }

  update(update: object, session: unknown = this.session): void {
    this.send({ method: "session/update", params: { sessionId: session, update } });
  }

  text(text: string): void {
    this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  ask(message: object): Promise<unknown> {
    const request = { id: `ask-${++this.#asks}`, ...message };
    this.send(request);
    return new Promise((resolve) => this.#asked.set(request.id, resolve));
  }

  answer(id: unknown, result: unknown): void {
    this.send({ id, result });
  }

  fail(id: unknown, error: unknown): void {
    this.send({ id, error });
  }

  async #receive({ id, method, params, ...answer }: Message): Promise<void> {
    switch (method) {
      case undefined:
        this.#asked.get(id)?.(answer.result ?? answer.error);
        return;
      case "initialize": {
        const result = { protocolVersion: 1, agentCapabilities: { loadSession: true } };
        return this.#respond("initialize", id, () => this.answer(id, result));
      }
      case "session/new":
      case "session/load":
        return this.#respond("open", id, () => this.answer(id, { sessionId: params?.sessionId ?? this.session }));
      case "session/prompt":
        return this.#work(id);
      case "session/cancel":
        return this.#respond("cancel", this.#prompt, () => this.#endPrompt("cancelled"));
      default:
        this.fail(id, { code: -32601, message: "Method not found" });
    }
  }

  async #work(id: unknown): Promise<void> {
    this.turn++;
    this.#prompt = id;
    const switches = this.#readSwitches();
    if (!switches.some(({ name }) => name === "tool-reused")) this.text("Working. ");
    for (const { fault, argument } of switches) await fault.work?.(this, argument);
    this.text("Done.");
    if (this.#prompt !== id) return;
    await this.#respond("prompt", id, () => this.#endPrompt("end_turn"));
  }

  #endPrompt(stopReason: string): void {
    if (this.#prompt === undefined) return;
    this.answer(this.#prompt, { stopReason });
    this.#prompt = undefined;
  }

  /** The first switch that answers wins. */
  async #respond(stage: Stage, id: unknown, otherwise: () => void): Promise<void> {
    for (const { fault, argument } of this.#readSwitches()) if (await fault[stage]?.(this, id, argument)) return;
    otherwise();
  }
}
