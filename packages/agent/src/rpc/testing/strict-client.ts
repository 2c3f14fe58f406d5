import { type Spawned, spawnLines } from "@gantry/testkit";
import type { z } from "zod";
import { readFrame } from "./frames.ts";

type Json = Record<string, unknown>;
export type Event = Json & { type: string };

/** The host's tools and URIs, by name. */
export type Hosted = {
  tools?: Record<string, (args: Json, call: { id: string; update(text: string): void }) => Promise<string> | string>;
  uris?: Record<string, { read(url: string): string; write(url: string, content: string): void }>;
  gate?(gate: Json): unknown;
  ui?(request: Json): Json | undefined;
};

/**
 * A typical third-party client: each frame is validated on arrival, each command waits for its response, and runs are
 * counted by `agent_end` against the accepted prompts. `wrong` collects invalid frames.
 */
export class StrictClient {
  readonly wrong: string[] = [];
  readonly process: Spawned;
  scheduled = 0;
  #ids = 0;
  #seen = 0;
  readonly #seqs = new Map<string, number>();
  readonly #hosted: Hosted;

  private constructor(child: Spawned, hosted: Hosted) {
    this.process = child;
    this.#hosted = hosted;
  }

  static async start(
    program: readonly [string, ...string[]],
    options: { cwd: string; env: Record<string, string | undefined> },
    hosted: Hosted = {},
  ): Promise<StrictClient> {
    const [command, ...args] = program;
    const client = new StrictClient(spawnLines(command, args, options), hosted);
    await client.wait(({ type }) => type === "ready");
    return client;
  }

  /** The first frame that matches. All earlier frames have been read and answered. */
  wait(test: (frame: Json) => boolean): Promise<Json> {
    return this.process.waitFor((frame) => {
      this.#readAll();
      return test(frame);
    });
  }

  event(test: (event: Event) => boolean): Promise<Event> {
    return this.wait((frame) => frame.type === "event" && test(eventOf(frame))).then(eventOf);
  }

  events(from = 0): Event[] {
    return this.process.frames
      .slice(from)
      .filter(({ type }) => type === "event")
      .map(eventOf);
  }

  send(command: string, fields: Json = {}): { id: string; response: Promise<Json> } {
    this.#ids += 1;
    const id = `req_${this.#ids}`;
    this.process.send({ id, type: command, ...fields });
    return { id, response: this.wait((frame) => frame.type === "response" && frame.id === id) };
  }

  async expectRefusal(command: string, fields: Json = {}): Promise<unknown> {
    const { success, error } = await this.send(command, fields).response;
    if (success) throw new Error(`${command} was accepted.`);
    return error;
  }

  async ask<Type>(schema: z.ZodType<Type>, command: string, fields: Json = {}): Promise<Type> {
    const answer = await this.send(command, fields).response;
    if (!answer.success) throw new Error(`${command}: ${JSON.stringify(answer.error)}`);
    if (answer.command !== command) throw new Error(`${command} was answered as ${answer.command}`);
    return schema.parse(answer.data);
  }

  async prompt(message: string, fields: Json = {}, command = "prompt"): Promise<void> {
    const answer = await this.send(command, { message, ...fields }).response;
    if (!answer.success) throw new Error(`${command}: ${JSON.stringify(answer.error)}`);
    this.scheduled += 1;
  }

  /** Sends a prompt and returns the events of its run. */
  async run(message: string, fields: Json = {}): Promise<Event[]> {
    const from = this.process.frames.length;
    await this.prompt(message, fields);
    await this.waitUntilIdle();
    return this.events(from);
  }

  get completed(): number {
    return this.events().filter(({ type }) => type === "agent_end").length;
  }

  /** Waits until all started runs have ended. More ends than starts are an error of the server. */
  async waitUntilIdle(): Promise<void> {
    await this.wait(() => this.completed >= this.scheduled);
    if (this.completed > this.scheduled) this.wrong.push(`${this.completed} ends of ${this.scheduled} runs`);
  }

  async stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.process.hangUp();
    const exit = await this.process.exit;
    this.#readAll();
    this.wrong.push(...this.process.noise);
    return exit;
  }

  #readAll(): void {
    while (this.#seen < this.process.frames.length) {
      const frame = this.process.frames[this.#seen] as Json;
      this.#seen += 1;
      try {
        readFrame(frame);
        this.#count(frame);
      } catch (error) {
        this.wrong.push(`${JSON.stringify(frame).slice(0, 400)}: ${(error as Error).message}`);
      }
      void Promise.resolve(frame).then((read) => this.#answer(read));
    }
  }

  #count({ type, session_id, seq }: Json): void {
    if (type !== "event") return;
    const expected = (this.#seqs.get(String(session_id)) ?? 0) + 1;
    if (seq !== expected) throw new Error(`seq is ${seq}, not ${expected}`);
    this.#seqs.set(String(session_id), expected);
  }

  async #answer(frame: Json): Promise<void> {
    const { tools, uris, gate, ui } = this.#hosted;
    const id = String(frame.id);
    const send = (answer: Json) => this.process.send({ id, ...answer });
    const content = (text: string) => ({ content: [{ type: "text", text }] });
    if (frame.type === "host_tool_call") {
      const tool = tools?.[String(frame.toolName)];
      const update = (text: string) => send({ type: "host_tool_update", partialResult: content(text) });
      if (!tool) return send({ type: "host_tool_result", result: content("no such tool"), isError: true });
      send({ type: "host_tool_result", result: content(await tool(frame.arguments as Json, { id, update })) });
    } else if (frame.type === "host_uri_request") {
      const url = String(frame.url);
      const uri = uris?.[url.split("://")[0] ?? ""];
      if (!uri) return send({ type: "host_uri_result", isError: true, error: "not mine" });
      if (frame.operation === "read") return send({ type: "host_uri_result", content: uri.read(url) });
      uri.write(url, String(frame.content));
      send({ type: "host_uri_result" });
    } else if (frame.type === "workflow_gate" && gate) {
      this.send("workflow_gate_response", { gate_id: frame.gate_id, answer: gate(frame) });
    } else if (frame.type === "extension_ui_request" && ui) {
      const answer = ui(frame);
      if (answer) send({ type: "extension_ui_response", ...answer });
    }
  }
}

function eventOf(frame: Json): Event {
  return (frame.payload as { event: Event }).event;
}
