import { type Draft, draft, type Envelope, foldSession, type SessionView } from "@gantry/protocol";

/** Builds the log of one session for a test: assigns numbers and times and folds the view. */
export class Script {
  readonly session: string;
  readonly #day: string;
  seq = 0;
  view: SessionView | undefined;

  constructor(session = "ses_a", day = "2026-11-15") {
    this.session = session;
    this.#day = day;
  }

  add(...drafts: Draft[]): Envelope[] {
    return drafts.map((event) => {
      this.seq += 1;
      const at = new Date(Date.parse(`${this.#day}T10:00:00.000Z`) + this.seq).toISOString();
      const envelope = { v: 1, session: this.session, seq: this.seq, at, ...event } as Envelope;
      this.view = foldSession(this.view, envelope);
      return envelope;
    });
  }

  create(more: { title?: string; agent?: string; cwd?: string } = {}): Envelope[] {
    const { title = "A title", agent = "fake", cwd = "/work" } = more;
    return this.add(draft("session.created", { agent, cwd, title, mode: "ask", model: "m1" }));
  }
}

export const textDone = (text: string, item = "itm_1") => draft("message.done", { item, text });

export const inputRequest = (id: string, session = "ses_a") =>
  draft("input.requested", {
    id,
    session,
    kind: "approval",
    title: `May I ${id}?`,
    blocking: true,
    options: [],
    questions: [],
  });

export const inputResolution = (id: string) => draft("input.resolved", { id, decision: "allow", by: "user" });

export const turnEnd = (input: number, more: { usd?: number; servedModel?: string; ttftMs?: number } = {}) =>
  draft(
    "turn.ended",
    {
      outcome: "completed",
      usage: { input, output: 2 },
      cost: more.usd === undefined ? undefined : { usd: more.usd, source: "agent" },
      servedModel: more.servedModel,
      ttftMs: more.ttftMs,
    },
    { turn: "trn_1" },
  );
