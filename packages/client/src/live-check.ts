import { type Envelope, type LiveFrame, type Offer, offerIn } from "@gantry/protocol";
import type { Client } from "./client.ts";

/** One step from a prompt to its answer, with the milliseconds since the start. */
export type LiveStep = {
  name: (typeof WAY)[number];
  state: "ok" | "fail";
  ms: number;
  detail?: string;
};

/** The problem, and what a person can do about it. */
export type Trouble = { category: string; message: string; remedy?: string; offer?: Offer };

/** The result of one tiny prompt. `trouble` is set exactly if it failed. */
export type LiveReport = {
  agent: string;
  ok: boolean;
  steps: LiveStep[];
  totalMs: number;
  answer?: string;
  trouble?: Trouble;
};

export type LiveCheck = {
  agent: string;
  /** An empty working folder. The caller removes it. */
  cwd: string;
  /** Called after every step. */
  onStep: (step: LiveStep) => void;
};

const WAY = ["session", "handshake", "first output", "turn"] as const;
const DEADLINE_MS = 120_000;
const PROMPT = "Reply with the single word ready and do nothing else.";

/**
 * Sends one tiny prompt to an agent through the real path, in a temporary session. Problems are part of the report; never
 * throws.
 */
export async function checkLive(client: Client, { agent, cwd, onStep }: LiveCheck): Promise<LiveReport> {
  const attempt = new Attempt(agent, onStep);
  let session: string | undefined;
  try {
    const made = await client.sessions.create({ agent, cwd, title: "doctor", mode: "ask", prompt: PROMPT });
    session = made.id;
    attempt.pass("session", `${made.modeApplied ?? made.mode} mode`);
    await firstTurn(client, session, attempt);
  } catch (error) {
    const { message, code, remedy, details } = error as Error & { code?: string; remedy?: string; details?: unknown };
    attempt.fail({ category: code ?? "unknown", message, remedy, offer: offerIn(details) });
  } finally {
    if (session) await client.sessions.delete(session).catch(() => {});
  }
  return attempt.report();
}

async function firstTurn(client: Client, session: string, attempt: Attempt): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    for await (const frame of client.follow(session, { after: 0, signal })) {
      if ("live" in frame) attempt.glimpse(frame.live);
      if (!("event" in frame)) continue;
      // The request stays unanswered: that the agent asks already shows that it works.
      if (frame.event.type === "input.requested") {
        await client.answer(frame.event.data.id, { decision: "deny" }).catch(() => {});
      }
      if (attempt.take(frame.event)) return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  attempt.fail({ category: "timeout", message: `There was no answer within ${DEADLINE_MS / 1000} s.` });
}

const OUTPUT: readonly Envelope["type"][] = ["message.done", "reasoning.done", "tool.started", "input.requested"];

/** Derives the completed steps from the session's events. */
class Attempt {
  readonly #agent: string;
  readonly #onStep: (step: LiveStep) => void;
  readonly #started = performance.now();
  readonly #steps: LiveStep[] = [];
  #answer: string | undefined;
  #trouble: Trouble | undefined;

  constructor(agent: string, onStep: (step: LiveStep) => void) {
    this.#agent = agent;
    this.#onStep = onStep;
  }

  pass(name: LiveStep["name"], detail?: string): void {
    if (!this.#steps.some((step) => step.name === name))
      this.#take({ name, state: "ok", ms: this.#elapsedMs(), detail });
  }

  /** Marks the next expected step as failed. */
  fail(trouble: Trouble): void {
    const name = WAY.find((step) => !this.#steps.some((taken) => taken.name === step)) ?? "turn";
    this.#trouble = trouble;
    this.#take({ name, state: "fail", ms: this.#elapsedMs(), detail: trouble.category });
  }

  glimpse(live: LiveFrame): void {
    if (live.type === "delta") this.#firstOutput();
  }

  /** Returns whether the turn has ended. */
  take(event: Envelope): boolean {
    if (event.type === "session.updated" && event.data.patch.handles) this.pass("handshake");
    if (event.type === "message.delivery" && event.data.state === "delivered") this.pass("handshake");
    if (OUTPUT.includes(event.type)) this.#firstOutput();
    if (event.type === "message.done") this.#answer = event.data.text.trim();
    if (event.type !== "turn.ended") return false;
    const { outcome, reason, error } = event.data;
    if (outcome !== "completed")
      this.fail(error ?? { category: outcome, message: reason ?? `The turn was ${outcome}.` });
    else this.pass("turn", this.#answer && `“${this.#answer.split("\n")[0]?.slice(0, 60)}”`);
    return true;
  }

  report(): LiveReport {
    const ok = this.#trouble === undefined;
    const more = { ...(this.#answer && { answer: this.#answer }), ...(this.#trouble && { trouble: this.#trouble }) };
    return { agent: this.#agent, ok, steps: this.#steps, totalMs: this.#elapsedMs(), ...more };
  }

  #firstOutput(): void {
    this.pass("handshake");
    this.pass("first output");
  }

  #take(step: LiveStep): void {
    this.#steps.push(step);
    this.#onStep(step);
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#started);
  }
}
