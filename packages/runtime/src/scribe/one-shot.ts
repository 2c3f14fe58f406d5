import { randomUUID } from "node:crypto";
import type { Cost, Failure, Mode, Usage } from "@gantry/protocol";
import type { Channel, Frame, LaunchOptions, Outbound, Output } from "../agents/contract.ts";
import { BriefProcess } from "../agents/finding/brief-process.ts";
import { lineOf, parseLine } from "../framing/lines.ts";
import { writeLaunchFiles } from "../session/connection/launch-files.ts";

export type OneShotRequest = {
  channel: Channel<never>;
  command: readonly string[];
  /** The whole environment of the process; what the channel adds comes on top. */
  env: Record<string, string>;
  version?: string;
  model?: string;
  /** The lowest rung that the agent has. */
  mode: Mode;
  /** An empty folder to work in, and one for what the process is given. */
  cwd: string;
  dir: string;
  prompt: string;
  timeoutMs: number;
  signal?: AbortSignal;
};

/** How it went. `prompted`: the agent was told the prompt, so it may have cost something, said or not. */
export type OneShotResult = {
  text?: string;
  /** Why there is no text, for the daemon's log. */
  why?: string;
  /** What the agent says went wrong. */
  failure?: Failure;
  prompted: boolean;
  usage?: Usage;
  cost?: Cost;
  servedModel?: string;
};

const UNWANTED = "nobody wants it any more";

/**
 * One prompt to an agent and its answer, in a process and a conversation of its own that nobody else sees. There is no
 * person behind it: whatever the agent asks for ends it. Never throws.
 */
export async function oneShot(request: OneShotRequest): Promise<OneShotResult> {
  if (request.signal?.aborted) return { prompted: false, why: UNWANTED };
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
  #over: OneShotResult | undefined;
  #said: { text: string; final: boolean } | undefined;
  #trail: NodeJS.Timeout | undefined;

  constructor(request: OneShotRequest) {
    this.#request = request;
    this.#channel = request.channel;
    const options = launchOptions(request);
    this.#state = request.channel.initial(options);
    const how = request.channel.launch(options);
    writeLaunchFiles(request.dir, how);
    this.#process = new BriefProcess([...request.command, ...how.args], {
      cwd: request.cwd,
      env: { ...request.env, ...how.env },
      timeoutMs: request.timeoutMs,
      onStdout: (text) => this.#heard(text),
    });
    request.signal?.addEventListener("abort", () => this.#giveUp(UNWANTED), { once: true });
    this.#begin();
    this.result = this.#process.result.then(({ code, timedOut, failed }) => {
      clearTimeout(this.#trail);
      if (!this.#over) this.#hear({ dir: "end", code, signal: null });
      const late = timedOut ? "it took too long" : (failed ?? `the process ended with ${code}`);
      return { ...this.#over, prompted: this.#prompted, ...(this.#over ? {} : { why: late }) };
    });
  }

  #begin(): void {
    if (this.#channel.perTurn) {
      this.#prompted = true;
      this.#process.write(this.#request.prompt);
      this.#process.end();
    }
    for (const frame of this.#channel.open(this.#state)) this.#tell(frame);
  }

  #heard(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "" && !this.#over) this.#hear(parseLine(line));
  }

  #hear(frame: Frame): void {
    this.#take(() => this.#channel.decode(this.#state, frame));
    const { trail } = this.#channel;
    const ms = trail?.ms(this.#state);
    if (!trail || ms === undefined || this.#over) return;
    const over = () => this.#take(() => trail.over(this.#state));
    if (frame.dir === "end") return over();
    clearTimeout(this.#trail);
    this.#trail = setTimeout(over, ms);
  }

  /** Called from the events of a process and of a clock, where an exception would end the daemon. */
  #take(decode: () => [never, Output[]]): void {
    try {
      const [state, outputs] = decode();
      this.#state = state;
      for (const output of outputs) this.#understand(output);
    } catch (error) {
      this.#giveUp((error as Error).message);
    }
  }

  #understand(output: Output): void {
    switch (output.kind) {
      case "send":
        return this.#tell(output.frame);
      case "ready":
        return this.#prompt();
      case "ask":
        return this.#giveUp("it asked for something");
      case "lost":
        return this.#giveUp(output.message);
      case "event":
        if (output.event.type === "message.done" && !output.event.data.parent) {
          const { text, phase } = output.event.data;
          this.#say(text, phase === "final");
        }
        return;
      case "finish":
        return this.#finish(output);
    }
  }

  /** The last text counts, and one that is called final before all others. */
  #say(text: string, final: boolean): void {
    if (text.trim() !== "" && (final || !this.#said?.final)) this.#said = { text, final };
  }

  #prompt(): void {
    if (this.#prompted) return;
    this.#prompted = true;
    const command = { type: "prompt", message: `msg_${randomUUID()}`, text: this.#request.prompt } as const;
    for (const frame of this.#channel.encode(this.#state, { ...command, attachments: [] }) ?? []) this.#tell(frame);
  }

  #tell(frame: Outbound): void {
    if (this.#over) return;
    this.#process.write(`${lineOf(frame.msg)}\n`);
    const [state] = this.#channel.decode(this.#state, { dir: "in", msg: frame.msg });
    this.#state = state;
  }

  #finish({ outcome, error, reason, usage, cost, servedModel }: Extract<Output, { kind: "finish" }>): void {
    const text = outcome === "completed" ? this.#said?.text : undefined;
    const why = error?.message ?? reason ?? (outcome === "completed" ? "it said nothing" : outcome);
    const spent = { prompted: true, usage, cost, servedModel, failure: error };
    this.#end({ ...spent, ...(text === undefined ? { why } : { text }) });
  }

  #giveUp(why: string): void {
    this.#end({ prompted: this.#prompted, why });
  }

  #end(result: OneShotResult): void {
    if (this.#over) return;
    this.#over = result;
    this.#process.stop();
  }
}

function launchOptions({ cwd, dir, mode, model, version, prompt, channel }: OneShotRequest): LaunchOptions {
  const told = channel.perTurn ? { prompt: { message: `msg_${randomUUID()}`, text: prompt } } : {};
  return { cwd, dir, mode, model, version, uuid: randomUUID(), ...told };
}
