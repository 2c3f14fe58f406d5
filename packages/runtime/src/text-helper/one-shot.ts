import { randomUUID } from "node:crypto";
import type { Cost, Failure, Mode, Usage } from "@gantry/protocol";
import type { Channel, Frame, LaunchOptions, Outbound, Output } from "../agents/contract.ts";
import { BriefProcess } from "../agents/finding/brief-process.ts";
import { lineOf, parseLine } from "../framing/lines.ts";
import { writeLaunchFiles } from "../process/launch-files.ts";

export type OneShotRequest = {
  channel: Channel<never>;
  command: readonly string[];
  /** The whole environment of the process; the channel's variables are added. */
  env: Record<string, string>;
  version?: string;
  model?: string;
  /** The lowest mode of the agent. */
  mode: Mode;
  /** An empty working folder, and a folder for the process's files. */
  cwd: string;
  dir: string;
  prompt: string;
  /** An answer that becomes much longer is cut off, so that a request cannot cost more. */
  maxChars: number;
  timeoutMs: number;
  signal?: AbortSignal;
};

/** The outcome. `prompted`: the agent received the prompt, so it may have caused cost even without a text. */
export type OneShotResult = {
  text?: string;
  /** Why there is no text, for the log. */
  why?: string;
  /** The failure that the agent reported. */
  failure?: Failure;
  prompted: boolean;
  usage?: Usage;
  cost?: Cost;
  servedModel?: string;
};

/** What an answer may exceed its limit by, so that the log states the length of one that is a little too long. */
const TOLERATED_CHARS = 1000;
const CANCELLED = "the request was cancelled";

/**
 * Sends one prompt to an agent and returns its answer, in a separate process and conversation. No person can answer, so
 * any question of the agent ends it. Never throws.
 */
export async function oneShot(request: OneShotRequest): Promise<OneShotResult> {
  if (request.signal?.aborted) return { prompted: false, why: CANCELLED };
  try {
    return await new OneShot(request).result;
  } catch (error) {
    return { prompted: false, why: (error as Error).message };
  }
}

class OneShot {
  readonly result: Promise<OneShotResult>;
  readonly #channel: Channel<never>;
  readonly #request: OneShotRequest;
  readonly #process: BriefProcess;
  #state: never;
  #rest = "";
  #prompted = false;
  #length = 0;
  #ended: OneShotResult | undefined;
  #answer: { text: string; final: boolean } | undefined;
  #trail: NodeJS.Timeout | undefined;

  constructor(request: OneShotRequest) {
    this.#request = request;
    this.#channel = request.channel;
    const options = launchOptions(request);
    this.#state = request.channel.initial(options);
    const how = request.channel.launch(options);
    writeLaunchFiles(request.dir, how, request.env);
    this.#process = new BriefProcess([...request.command, ...how.args], {
      cwd: request.cwd,
      env: { ...request.env, ...how.env },
      timeoutMs: request.timeoutMs,
      onStdout: (text) => this.#receive(text),
    });
    request.signal?.addEventListener("abort", () => this.#giveUp(CANCELLED), { once: true });
    this.#begin();
    this.result = this.#process.result.then(({ code, timedOut, failed }) => {
      clearTimeout(this.#trail);
      if (!this.#ended) this.#decode({ dir: "end", code, signal: null });
      const late = timedOut ? "the agent timed out" : (failed ?? `the process exited with code ${code}`);
      return { ...this.#ended, prompted: this.#prompted, ...(this.#ended ? {} : { why: late }) };
    });
  }

  #begin(): void {
    if (this.#channel.perTurn) {
      this.#prompted = true;
      this.#process.write(this.#request.prompt);
      this.#process.end();
    }
    for (const frame of this.#channel.open(this.#state)) this.#send(frame);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "" && !this.#ended) this.#decode(parseLine(line));
  }

  #decode(frame: Frame): void {
    this.#apply(() => this.#channel.decode(this.#state, frame));
    const { trail } = this.#channel;
    const ms = trail?.ms(this.#state);
    if (!trail || ms === undefined || this.#ended) return;
    const finish = () => this.#apply(() => trail.over(this.#state));
    if (frame.dir === "end") return finish();
    clearTimeout(this.#trail);
    this.#trail = setTimeout(finish, ms);
  }

  /** Called from process and timer events, where an exception would end the daemon. */
  #apply(decode: () => [never, Output[]]): void {
    try {
      const [state, outputs] = decode();
      this.#state = state;
      for (const output of outputs) this.#handle(output);
    } catch (error) {
      this.#giveUp((error as Error).message);
    }
  }

  #handle(output: Output): void {
    switch (output.kind) {
      case "send":
        return this.#send(output.frame);
      case "ready":
        return this.#prompt();
      case "ask":
        return this.#giveUp("the agent asked a question");
      case "lost":
        return this.#giveUp(output.message);
      case "delta":
        return this.#limit(output);
      case "event":
        if (output.event.type === "message.done" && !output.event.data.parent) {
          const { text, phase } = output.event.data;
          this.#store(text, phase === "final");
        }
        return;
      case "finish":
        return this.#finish(output);
    }
  }

  #limit({ channel, text }: Extract<Output, { kind: "delta" }>): void {
    if (channel === "text") this.#length += text.length;
    if (this.#length > this.#request.maxChars + TOLERATED_CHARS) this.#giveUp("the answer is too long");
  }

  /** Stores the last text; a final one is not replaced by others. */
  #store(text: string, final: boolean): void {
    if (text.trim() !== "" && (final || !this.#answer?.final)) this.#answer = { text, final };
  }

  #prompt(): void {
    if (this.#prompted) return;
    this.#prompted = true;
    const command = { type: "prompt", message: `msg_${randomUUID()}`, text: this.#request.prompt } as const;
    for (const frame of this.#channel.encode(this.#state, { ...command, attachments: [] }) ?? []) this.#send(frame);
  }

  #send(frame: Outbound): void {
    if (this.#ended) return;
    this.#process.write(`${lineOf(frame.msg)}\n`);
    const [state] = this.#channel.decode(this.#state, { dir: "in", msg: frame.msg });
    this.#state = state;
  }

  #finish({ outcome, error, reason, usage, cost, servedModel }: Extract<Output, { kind: "finish" }>): void {
    const text = outcome === "completed" ? this.#answer?.text : undefined;
    const why = error?.message ?? reason ?? (outcome === "completed" ? "the agent sent no text" : outcome);
    const spent = { prompted: true, usage, cost, servedModel, failure: error };
    this.#end({ ...spent, ...(text === undefined ? { why } : { text }) });
  }

  #giveUp(why: string): void {
    this.#end({ prompted: this.#prompted, why });
  }

  #end(result: OneShotResult): void {
    if (this.#ended) return;
    this.#ended = result;
    this.#process.stop();
  }
}

function launchOptions({ cwd, dir, mode, model, version, prompt, channel }: OneShotRequest): LaunchOptions {
  const first = channel.perTurn ? { prompt: { message: `msg_${randomUUID()}`, text: prompt } } : {};
  return { cwd, dir, mode, model, version, uuid: randomUUID(), transient: true, ...first };
}
