import { type Envelope, failure, foldSession, type IdKind, idPrefixes, type LiveFrame, pairs } from "@gantry/protocol";
import type { Agent, Channel, Frame, LaunchOptions, Output, Step } from "../agents/contract.ts";
import { parseLine } from "../framing/lines.ts";
import { answerInput, awaitsContinuity } from "../session/engine/inputs/inputs.ts";
import { applyOutput } from "../session/engine/outputs.ts";
import { endProcess } from "../session/engine/process.ts";
import { type EngineContext, type EngineState, initialState } from "../session/engine/state.ts";
import { SessionStep } from "../session/engine/step.ts";
import { endTurn } from "../session/engine/turns.ts";

export type RecordingEntry = Envelope | (LiveFrame & { live: true });

/**
 * Replays a recording through the channel and engine of a live session. Yields what that session's log would hold, with
 * ids counted from 1. Lines are raw stdout lines or `{dir, msg}` of both directions.
 */
export function* decodeRecording(
  agent: Agent,
  channel: Channel<never>,
  lines: Iterable<string>,
  options: { cwd?: string; exitCode?: number | null; signal?: string | null; stderr?: string } = {},
): Generator<RecordingEntry> {
  const player = new RecordingPlayer(agent, channel, options.cwd ?? "/workspace/project");
  yield* player.emitCreated();
  let end = { code: options.exitCode ?? null, signal: options.signal ?? null };
  for (const line of lines) {
    const frame = toFrame(line);
    if (frame?.dir === "end") end = { code: end.code ?? frame.code, signal: end.signal ?? frame.signal };
    else if (frame) yield* player.frame(frame);
  }
  for (const text of options.stderr?.split("\n") ?? []) if (text.trim()) yield* player.frame({ dir: "err", text });
  yield* player.end(end.code, end.signal);
}

/** The channel that a recording was made with; the agent's first if none recognises it. */
export function recognise(agent: Agent, lines: readonly string[]): Channel<never> | undefined {
  const parsed = lines.map(toFrame).filter((frame): frame is Frame => frame !== undefined);
  const messages = parsed.map((frame) => ("msg" in frame ? frame.msg : "text" in frame ? frame.text : undefined));
  return agent.channels.find((channel) => channel.recognises(messages)) ?? agent.channels[0];
}

export type Summary = {
  events: number;
  byType: Record<string, number>;
  raw: number;
  unclosed: number;
  outcome: string | null;
  failure: string | null;
};

export function summarise(entries: Iterable<RecordingEntry>): Summary {
  const byType: Record<string, number> = {};
  const open = new Set<string>();
  const summary: Summary = { events: 0, byType, raw: 0, unclosed: 0, outcome: null, failure: null };
  for (const entry of entries) {
    if ("live" in entry) continue;
    summary.events++;
    byType[entry.type] = (byType[entry.type] ?? 0) + 1;
    for (const pair of pairs) {
      const name = pair.key === "turn" ? entry.turn : (entry.data as Record<string, unknown>)[pair.key];
      if (entry.type === pair.start) open.add(`${pair.start} ${name}`);
      if (entry.type === pair.end) open.delete(`${pair.start} ${name}`);
    }
    if (entry.type !== "turn.ended") continue;
    summary.outcome = entry.data.outcome;
    summary.failure = entry.data.error?.category ?? null;
  }
  return { ...summary, raw: byType.raw ?? 0, unclosed: open.size };
}

/** Names of the directions, and of stderr, in the recorders' formats. */
const directions: Record<string, "in" | "out" | "err"> = {
  in: "in",
  stdin: "in",
  "client->agent": "in",
  out: "out",
  stdout: "out",
  "agent->client": "out",
  err: "err",
  stderr: "err",
  "agent-stderr": "err",
};

/** Lines about the recording itself, which no agent sent or received. */
const metadata = ["meta", "harness", "end", "mock<-cli"];

/**
 * A line of a recording as a frame. A line without a direction is stdout, or a server's frame (`{sse}`, `{http}`) as a
 * whole. `end` comes from a line with the exit status.
 */
export function toFrame(line: string): Frame | undefined {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.trim() === "") return undefined;
  const parsed = parseLine(text);
  if (!("msg" in parsed)) return parsed;
  const { msg } = parsed;
  const row = msg as Record<string, unknown>;
  const name = typeof row.dir === "string" ? row.dir : "";
  if (metadata.includes(name)) return undefined;
  if (name === "exit") return { dir: "end", code: numberOr(row.code), signal: textOr(row.signal) };
  const dir = Object.hasOwn(directions, name) ? directions[name] : undefined;
  const raw = [row.text, row.line, row.nonJson].find((entry) => typeof entry === "string") as string | undefined;
  const body = "msg" in row ? row.msg : row.json;
  if (dir === "err") return { dir, text: raw ?? JSON.stringify(body ?? row) };
  if (dir && body !== undefined) return dir === "in" ? { dir, msg: body } : { dir, msg: body };
  if (dir && raw !== undefined) return dir === "in" ? { dir, msg: raw } : { dir, text: raw };
  return { dir: "out", msg };
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

class RecordingPlayer {
  private session: EngineState;
  private state: never;
  private readonly context: EngineContext;
  private readonly channel: Channel<never>;
  private readonly first: Envelope;

  constructor(agent: Agent, channel: Channel<never>, cwd: string) {
    const counts: Partial<Record<IdKind, number>> = {};
    const id = (kind: IdKind) => {
      counts[kind] = (counts[kind] ?? 0) + 1;
      return `${idPrefixes[kind]}_${counts[kind]}`;
    };
    const now = () => "1970-01-01T00:00:00.000Z";
    this.context = { now, id, agent, queueLimit: 1000 };
    this.channel = channel;
    const launch: LaunchOptions = { cwd, mode: "inherit", uuid: "00000000-0000-4000-8000-000000000000", dir: "" };
    this.state = channel.initial(launch);
    const data = { agent: agent.id, mode: "inherit" as const, cwd, title: "Recording", origin: "recording" };
    this.first = { v: 1, session: id("session"), seq: 1, at: now(), type: "session.created", data };
    this.session = initialState(foldSession(undefined, this.first));
  }

  *emitCreated(): Generator<RecordingEntry> {
    yield this.first;
  }

  *frame(frame: Frame): Generator<RecordingEntry> {
    const decoded = this.tryDecode(frame);
    if (decoded) return yield* this.applyOutputs(decoded, frame.dir === "end");
    const data = {
      channel: this.channel.name,
      frame: "text" in frame ? frame.text : {},
      reason: "could not be processed",
    };
    yield* this.step((step) => step.emit("raw", data));
  }

  /** `undefined` for a line that the decoder cannot process. */
  private tryDecode(frame: Frame): Step<never> | undefined {
    try {
      return this.channel.decode(this.state, frame);
    } catch {
      return undefined;
    }
  }

  private *applyOutputs([state, outputs]: Step<never>, ended: boolean): Generator<RecordingEntry> {
    this.state = state;
    for (const output of outputs) yield* this.step((step) => this.applyOutput(step, output, ended));
  }

  *end(code: number | null, signal: string | null): Generator<RecordingEntry> {
    // A recording has no clock: a turn trails until something else starts.
    if (this.channel.trail) yield* this.applyOutputs(this.channel.trail.over(this.state), false);
    yield* this.frame({ dir: "end", code, signal });
    yield* this.step((step) => {
      // No turn follows the end of a recording, so a steered message belongs to the last one.
      for (const { message } of step.view.sent.filter((entry) => entry.turn === undefined)) {
        step.emit("message.delivery", { message, state: "inline" });
      }
      endProcess(step, { code, signal });
      // A recording has no person to choose how a lost conversation continues.
      const [question] = awaitsContinuity(step.view) ? step.view.inputs : [];
      if (!question) return;
      endTurn(step, { outcome: "failed", error: failure("protocol", question.detail ?? question.title) }, true);
    });
  }

  /** A recording has the person's side only in its frames. */
  private applyOutput(step: SessionStep, output: Output, ended: boolean): void {
    if (output.kind === "prompted") return emitPrompt(step, output);
    if (output.kind !== "answered") return applyOutput(step, output, ended);
    const input = step.view.inputs.find((entry) => entry.native === output.key);
    if (!input) return;
    try {
      answerInput(step, { id: input.id, answer: output.answer });
    } catch {
      step.emit("input.resolved", { id: input.id, decision: output.answer.decision, by: "user" });
    }
  }

  private *step(action: (step: SessionStep) => void): Generator<RecordingEntry> {
    const step = new SessionStep(this.session, this.context);
    action(step);
    this.session = step.end();
    for (const entry of step.out) {
      yield "seq" in entry ? entry : { ...entry, live: true };
    }
  }
}

function emitPrompt(step: SessionStep, output: Extract<Output, { kind: "prompted" }>): void {
  const message = output.message ?? step.context.id("message");
  const known = step.view.sent.some((entry) => entry.message === message);
  if (known) return;
  const steered = step.view.turn !== undefined;
  step.emit("message.user", { message, text: output.text, delivery: steered ? "steer" : "auto" });
  step.emit("message.delivery", { message, state: "sent" });
  if (steered) return;
  const turn = step.context.id("turn");
  step.emit("turn.started", { trigger: "user", messages: [message] }, { turn });
}
