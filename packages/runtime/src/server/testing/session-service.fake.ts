import {
  type CreateSession,
  GantryError,
  type Grant,
  type HandoffBody,
  type HandoffPlan,
  type InputAnswer,
  type InputRequest,
  type Item,
  noUsage,
  type OpenItem,
  type QueueOnStop,
  type QueueState,
  type Session,
  type Task,
} from "@gantry/protocol";
import type { SessionService } from "../../session/api.ts";

/** A session service without agents, for tests of the server: it returns plausible results and records the calls. */
export class FakeSessionService implements SessionService {
  calls: string[] = [];
  sessions = new Map<string, Session>();
  openItems = new Map<string, OpenItem[]>();
  inputs: InputRequest[] = [];
  /** Thrown by the next call, whichever it is. */
  failure: unknown;

  add(id: string, more: Partial<Session> = {}): Session {
    const at = "2026-01-01T00:00:00.000Z";
    const session: Session = {
      id,
      agent: "scripted",
      mode: "ask",
      cwd: "/tmp",
      title: `Session ${id}`,
      state: "idle",
      archived: false,
      turns: 0,
      queue: [],
      queueState: "running",
      inputs: [],
      usage: noUsage,
      raw: 0,
      lastSeq: 1,
      createdAt: at,
      updatedAt: at,
      handles: {},
      ...more,
    };
    this.sessions.set(id, session);
    return session;
  }

  async create(body: CreateSession, origin: string) {
    this.#note("create");
    const known = this.sessions.get(body.id ?? "");
    if (known) return { session: known, created: false };
    return {
      session: this.add(body.id ?? "ses_new", { agent: body.agent, title: body.title ?? origin }),
      created: true,
    };
  }

  list() {
    this.#note("list");
    return { sessions: [...this.sessions.values()] };
  }

  async requireChoices(): Promise<void> {}

  get(id: string): Session {
    this.#note("get");
    const session = this.sessions.get(id);
    if (!session) throw new GantryError("no_such_session", `There is no session ${id}.`);
    return session;
  }

  async patch(id: string) {
    this.#note("patch");
    return { session: this.get(id), applied: [{ field: "title", value: "x", when: "now" as const }] };
  }

  async delete(id: string): Promise<void> {
    this.#note("delete");
    this.sessions.delete(id);
  }

  send(_id: string, body: { id?: string }) {
    this.#note("send");
    return { message: body.id ?? "msg_new", disposition: "started" as const };
  }

  editMessage(id: string): Session {
    this.#note("editMessage");
    return this.get(id);
  }

  async cancelMessage(id: string): Promise<Session> {
    this.#note("cancelMessage");
    return this.get(id);
  }

  changeQueue(id: string, queueState: QueueState): Session {
    this.#note(`changeQueue ${queueState}`);
    return { ...this.get(id), queueState };
  }

  interrupt(_id: string, queue: QueueOnStop) {
    this.#note(`interrupt ${queue}`);
    return { interrupted: false, paused: false, kept: [], cancelled: [] }; // prose-ignore: fixed API field
  }

  warmUp() {
    this.#note("warmUp");
    return { warming: false };
  }

  processList() {
    this.#note("processList");
    return { max: 20, processes: [] };
  }

  async close() {
    this.#note("close");
    return { released: true };
  }

  async planHandoff(id: string, { agent }: HandoffBody): Promise<HandoffPlan> {
    this.#note("planHandoff");
    const { agent: from, mode } = this.get(id);
    const brief = "## Goal\n\n> go";
    const settings = { mode, modeApplied: mode, dropped: [] };
    return { from, to: agent, strategy: "brief", why: "it is new here", brief, receipts: [], ...settings };
  }

  async handOff(id: string, { agent }: HandoffBody) {
    this.#note("handOff");
    const session = this.get(id);
    const handoff = { id: "hnd_1", from: session.agent, to: agent, strategy: "brief", state: "started" } as const;
    return { session, handoff };
  }

  item(_id: string, item: string): Item {
    this.#note("item");
    return { item, open: false, kind: "message", text: "all of it", events: [] };
  }

  inbox(): InputRequest[] {
    this.#note("inbox");
    return this.inputs;
  }

  answer(input: string, answer: InputAnswer) {
    this.#note("answer");
    return { id: input, session: "ses_a", decision: answer.decision };
  }

  grants(): Grant[] {
    this.#note("grants");
    return [];
  }

  revokeGrant(): void {
    this.#note("revokeGrant");
  }

  open(id: string): OpenItem[] {
    return this.openItems.get(id) ?? [];
  }

  countRunning(): number {
    return 2;
  }

  countTasks(): number {
    return 0;
  }

  tasks(): Task[] {
    this.#note("tasks");
    return [];
  }

  requestContext(): { requested: true } {
    this.#note("requestContext");
    return { requested: true };
  }

  stopTask(_: string, task: string): Task {
    this.#note("stopTask");
    const times = { startedAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:01:00.000Z" };
    return { task, kind: "command", title: "npm run build", status: "stopped", ...times };
  }

  #note(call: string): void {
    this.calls.push(call);
    const failure = this.failure;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
