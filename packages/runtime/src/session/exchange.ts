import { type Failure, failure } from "@gantry/protocol";
import type { AgentCommand, Channel, Frame, Outbound, Output } from "../agents/contract.ts";
import { loaded, withPreface } from "./connection/compose-prompt.ts";
import { noticeOf, type Remind, type Told } from "./connection/pinned-context.ts";
import { takeOutput } from "./engine/outputs.ts";
import { drain } from "./engine/queue.ts";
import type { SessionStep } from "./engine/step.ts";
import { endTurn } from "./engine/turns.ts";

/** Where the talk with a process stands. A plain value but for the channel; it is part of every mark. */
export type Talk = {
  channel: Channel<never>;
  state: never;
  /** The conversation is open. */
  ready: boolean;
  /** Messages that were told to this process. */
  told: readonly string[];
  /** Words that go before the next prompt. */
  preface?: string;
  /** The standing words that `preface` holds, by their hash. */
  standing?: string;
  /** The agent was asked to put the conversation away: this process gets no more prompts. */
  parting?: true;
  /** The byte of stdout up to which the talk has been heard. */
  offset: number;
};

/** How long the end of a turn is held back for what trails it; `undefined` while none is. */
export function trailMs(talk: Talk | undefined): number | undefined {
  return talk?.channel.trail?.ms(talk.state);
}

/** What the runner's watchdogs want to know of a batch. */
export type Pulse = {
  heard: boolean;
  progress: boolean;
  prompted: boolean;
  prefaced: boolean;
  interrupted: boolean;
  /** Which standing words the agent was told with a prompt. */
  toldStanding?: Told;
  /** A way to log in was chosen. */
  login?: boolean;
  retry?: Failure;
};

/**
 * One batch of a session's life: frames heard and commands told, on copies of view and talk. The runner makes all of it
 * durable at once, or throws it away.
 */
export class Exchange {
  readonly step: SessionStep;
  talk: Talk | undefined;
  /** Frames to be journalled and written, each with its place in the talk. */
  readonly frames: (Outbound & { atOffset: number })[] = [];
  readonly acks: string[] = [];
  readonly applied: Extract<Output, { kind: "applied" }>[] = [];
  /** Something was decided by the clock, which no spool tells. */
  timed = false;
  readonly pulse: Pulse = { heard: false, progress: false, prompted: false, prefaced: false, interrupted: false };
  readonly #remind: Remind;
  #handled = 0;
  #parted = false;

  constructor(step: SessionStep, talk: Talk | undefined, remind: Remind = () => undefined) {
    this.step = step;
    this.talk = talk;
    this.#remind = remind;
  }

  /** Takes in one frame of the agent; `end` is the byte after it. */
  hear(frame: Frame, end: number): void {
    if (frame.dir === "end") this.endTrail();
    if (!this.talk) return;
    const [state, outputs] = this.talk.channel.decode(this.talk.state, frame);
    this.talk = { ...this.talk, state, offset: end };
    this.pulse.heard = true;
    for (const output of outputs) this.#take(output, frame.dir === "end");
    if ("oversize" in frame) this.#oversize(frame.oversize);
    // At its end there is nobody to be told anything.
    if (frame.dir !== "end") this.flush();
  }

  /** Takes an end that is held back, if there is one: nothing more of the turn is waited for. */
  endTrail(): void {
    const trail = this.talk?.channel.trail;
    if (!this.talk || !trail || trailMs(this.talk) === undefined) return;
    const [state, outputs] = trail.over(this.talk.state);
    this.talk = { ...this.talk, state };
    this.timed = true;
    for (const output of outputs) this.#take(output, false);
  }

  /** Opens the talk with its first frames. */
  open(): void {
    if (!this.talk) return;
    // A process of one turn was started with its prompt.
    if (this.talk.channel.perTurn) this.pulse.prompted = true;
    for (const frame of this.talk.channel.open(this.talk.state)) this.tell(frame);
  }

  /** Turns the commands that the engine asked for into frames. Prompts wait until the conversation is open. */
  flush(): void {
    for (; this.#handled < this.step.effects.length; this.#handled++) {
      const effect = this.step.effects[this.#handled];
      if (effect?.type === "command") this.#command(effect.command);
    }
    this.#forgetGivenBack();
    this.#promptWaiting();
  }

  /** What waits again after the agent had it is told anew. */
  #forgetGivenBack(): void {
    if (!this.talk) return;
    const told = this.talk.told.filter((message) => !this.step.view.queue.some((entry) => entry.message === message));
    if (told.length < this.talk.told.length) this.talk = { ...this.talk, told };
  }

  /** Asks the agent to put the conversation away, if it is open and the agent can; gives the key of its answer. */
  part(): string | undefined {
    this.#parted = true;
    if (!this.talk?.ready) return undefined;
    const frames = this.talk.channel.encode(this.talk.state, { type: "close" }) ?? [];
    for (const frame of frames) this.tell(frame);
    if (frames.length > 0) this.talk = { ...this.talk, parting: true };
    return frames.at(-1)?.key;
  }

  tell(frame: Outbound): void {
    if (!this.talk) return;
    this.frames.push({ ...frame, atOffset: this.talk.offset });
    const [state] = this.talk.channel.decode(this.talk.state, { dir: "in", msg: frame.msg });
    this.talk = { ...this.talk, state };
  }

  #take(output: Output, synthetic: boolean): void {
    switch (output.kind) {
      case "send":
        return this.tell(output.frame);
      case "ack":
        this.acks.push(output.key);
        return;
      case "ready":
        if (this.talk) this.talk = { ...this.talk, ready: true };
        break;
      case "retry":
        this.pulse.retry = output.failure ?? failure("network", output.reason);
        break;
      case "applied":
        this.applied.push(output);
        break;
      case "finish":
        this.#releaseUseless(output.error);
        break;
    }
    if (isWork(output)) this.pulse.progress = true;
    takeOutput(this.step, output, synthetic);
  }

  #command(command: AgentCommand): void {
    if (command.type === "prompt") return; // See #promptWaiting.
    // A login is asked for before the conversation is open.
    if (!this.talk || (!this.talk.ready && command.type !== "answer")) return;
    const frames = this.talk.channel.encode(this.talk.state, steerable(command));
    if (!frames) return this.#impossible(command);
    if (command.type === "interrupt") this.pulse.interrupted = true;
    if (command.type === "answer" && command.request.kind === "login") this.pulse.login = true;
    if (command.type === "steer") this.talk = { ...this.talk, told: [...this.talk.told, command.message] };
    for (const frame of frames) this.tell(frame);
  }

  /** Messages of the running turn that this process has not been told yet. */
  #promptWaiting(): void {
    const turn = this.step.view.turn;
    // What is about to be ended takes no more: the next process gets it, which may be another agent's.
    if (this.#parted || this.step.effects.some(({ type }) => type === "stop")) return;
    if (!turn || !this.talk?.ready || this.talk.channel.perTurn) return;
    for (const entry of this.step.view.sent) {
      if (entry.turn !== turn.id || this.talk.told.includes(entry.message)) continue;
      const { message } = entry;
      const text = this.#prefaced(entry.text);
      const attachments = loaded(entry.attachments);
      const { tries } = entry;
      const prompt = { type: "prompt", message, text, attachments, ...(tries ? { tries } : {}) } as const;
      const frames = this.talk.channel.encode(this.talk.state, prompt);
      this.talk = { ...this.talk, told: [...this.talk.told.slice(-50), message] };
      this.pulse.prompted = true;
      for (const frame of frames ?? []) this.tell(frame);
    }
  }

  /** A prompt with what goes before it: the first words of a conversation, or what it must be told again. */
  #prefaced(prompt: string): string {
    const { talk, step } = this;
    const reminder = talk && !talk.preface ? this.#remind(step.view, talk.channel) : undefined;
    const { text, prefaced } = withPreface(prompt, talk?.preface ?? reminder?.text);
    if (!talk || !prefaced) return text;
    if (reminder) {
      this.pulse.toldStanding = reminder.told;
      step.emit("notice", noticeOf(reminder));
      return text;
    }
    this.pulse.prefaced = true;
    if (talk.standing) this.pulse.toldStanding = { hash: talk.standing, seq: step.view.lastSeq };
    this.talk = { ...talk, preface: undefined, standing: undefined };
    return text;
  }

  #impossible(command: AgentCommand): void {
    const { step } = this;
    if (command.type === "steer") {
      step.emit("message.delivery", {
        message: command.message,
        state: "queued",
        position: 0,
        reason: "cannot be steered",
      });
      return;
    }
    if (command.type === "answer" && command.request.kind === "login") return this.#loginElsewhere(command);
    if (command.type === "interrupt") {
      endTurn(step, { outcome: "interrupted", reason: "its process was ended" }, true);
      step.effect({ type: "stop", reason: "interrupted" });
      drain(step);
    }
  }

  /** The next message gets a process of its own: what could not be opened takes none, and a login is read at the start. */
  #releaseUseless(error: Failure | undefined): void {
    if (!this.talk || this.talk.channel.perTurn) return;
    if (!this.talk.ready) this.step.effect({ type: "stop", reason: "unopened" });
    else if (error?.category === "auth") this.#renewAfterLogin();
  }

  /** Agents do not keep a conversation in which nothing was said, so the next process begins one. */
  #renewAfterLogin(): void {
    const { step } = this;
    const { agent, turns, parent } = step.view;
    step.effect({ type: "stop", reason: "login" });
    if (turns > 1 || parent !== undefined || step.worked) return;
    step.emit("session.updated", { patch: { handles: { [agent]: null } }, reason: "nothing was said in it" });
  }

  /**
   * A login that the agent cannot be told of. One that was done elsewhere is for the next process to find; without one
   * there is no conversation.
   */
  #loginElsewhere({ answer, request }: Extract<AgentCommand, { type: "answer" }>): void {
    const { step } = this;
    step.effect({ type: "stop", reason: "unopened" });
    if (answer.decision === "allow") return;
    const chosen = request.options.find(({ id }) => id === answer.option)?.label;
    const message = `The agent is not logged in${chosen ? `; the answer was "${chosen}"` : ""}.`;
    endTurn(step, { outcome: "failed", reason: "not logged in", error: failure("auth", message) }, true);
    drain(step);
  }

  #oversize(size: number): void {
    const text = `The agent printed a line of ${(size / 1_000_000).toFixed(1)} MB, more than the limit. It was left out; its beginning is kept as a raw event.`;
    this.step.emit(
      "error",
      failure("protocol", text, "Raise lineLimitMb in config.yml if the agent's lines are really that long."),
    );
  }
}

function steerable(command: AgentCommand): AgentCommand {
  return command.type === "steer" ? { ...command, attachments: loaded(command.attachments) } : command;
}

/** Facts about the agent that it may state without having done anything. */
const NOT_WORK = new Set<string>([
  "notice",
  "context.usage",
  "commands.changed",
  "model.changed",
  "mode.changed",
  "session.updated",
  "raw",
]);

/** Does it show that the agent works on the turn, and not only that it has it? */
function isWork(output: Output): boolean {
  if (output.kind === "event") return !NOT_WORK.has(output.event.type);
  return output.kind === "delta" || output.kind === "ask" || output.kind === "finish";
}
