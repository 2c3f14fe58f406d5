import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type Conversation,
  ConversationStore,
  type Dialect,
  type Host,
  type Receiver,
  Turn,
} from "@gantry/scripted/agent";
import { asObject, asObjects, asText, type Json, parseObject } from "@gantry/scripted/json";
import { AskedLog } from "../../asked.ts";
import type { AcpProfile, AcpSession } from "./profile.ts";
import { AcpSink } from "./sink.ts";

/** The dialect of an agent with the Agent Client Protocol, version 1, configured by its profile. */
export function acpDialect(profile: AcpProfile): Dialect {
  return {
    oneShot: (argv) => (argv.includes("--version") ? { stdout: `${profile.versionText}\n`, code: 0 } : null),
    start: (host) => new AcpAgent(profile, host),
  };
}

/** A failure that the client gets as a JSON-RPC error. */
class Refusal extends Error {
  readonly error: Json;

  constructor(error: Json) {
    super(asText(error.message));
    this.error = error;
  }
}

/** Conversations on one page of a list. */
const PAGE = 2;

const AUTH_REQUIRED = { code: -32000, message: "Authentication required" };

class AcpAgent implements Receiver {
  readonly #profile: AcpProfile;
  readonly #host: Host;
  readonly #store: ConversationStore;
  readonly #asked: AskedLog;
  readonly #waiting = new Map<number, (result: Json) => void>();
  readonly #granted = new Set<string>();
  #session: AcpSession | null = null;
  #turn: Turn | null = null;
  #nextId = 0;
  #silent = false;

  /** Each returns its result; `undefined` means that the result follows later, or never. */
  readonly #methods: Record<string, (params: Json, id: unknown) => Json | null | undefined> = {
    initialize: () => this.#profile.greeting,
    authenticate: () => ({}),
    "session/new": (params) => this.#open(params, randomUUID(), []),
    "session/load": (params) => this.#reopen(params, true),
    "session/resume": (params) => this.#reopen(params, false),
    "session/fork": (params) => this.#fork(params),
    "session/set_mode": (params) => this.#set({ mode: asText(params.modeId) }),
    "session/set_model": (params) => this.#set({ model: asText(params.modelId) }),
    "session/set_config_option": (params) => this.#setOption(params),
    "session/prompt": (params, id) => this.#prompt(params, id),
    "session/list": (params) => this.#list(params),
    "session/close": (params) => this.#close(params),
  };

  constructor(profile: AcpProfile, host: Host) {
    this.#profile = profile;
    this.#host = host;
    const home = host.env.HOME ?? host.cwd;
    this.#store = new ConversationStore(join(home, ".fake-agent", "sessions"));
    this.#asked = new AskedLog(home);
    host.output.use({ foreign: foreignFrame, unknown: () => ({ jsonrpc: "2.0", method: "x/future", params: {} }) });
  }

  line(line: string): void {
    if (this.#silent || !line.trim()) return;
    const frame = parseObject(line);
    if (!frame) this.#write({ id: null, error: { code: -32700, message: "Parse error" } });
    else if (typeof frame.method === "string") this.#call(frame.method, frame.id, asObject(frame.params));
    else this.#settle(frame);
  }

  end(): void {
    this.#turn?.interrupt();
    void this.#host.exit(0);
  }

  #call(method: string, id: unknown, params: Json): void {
    if (method === "session/cancel") return this.#turn?.interrupt();
    if (id === undefined) return;
    const run = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (!run || !this.#offers(method))
      return this.#write({ id, error: { code: -32601, message: `"Method not found": ${method}` } });
    try {
      const result = run(params, id);
      if (result !== undefined) this.#write({ id, result });
      if (/^session\/(new|load|resume|fork)$/.test(method) && result) this.#publishOpened();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#write({ id, error: error.error });
    }
  }

  /** Lists and closes conversations only if `initialize` offers it. */
  #offers(method: string): boolean {
    const optional = /^session\/(list|close)$/.exec(method)?.[1];
    const { sessionCapabilities } = asObject(this.#profile.greeting.agentCapabilities);
    return optional === undefined || optional in asObject(sessionCapabilities);
  }

  #list({ cwd, cursor }: Json): Json {
    const from = Number(cursor ?? 0);
    const fitting = this.#store.list().filter((one) => cwd === undefined || one.cwd === cwd);
    const page = fitting.slice(from, from + PAGE);
    const sessions = page.map(({ id, turns, updatedAt, ...rest }) => {
      return { sessionId: id, cwd: rest.cwd, title: turns[0]?.prompt ?? null, updatedAt };
    });
    return { sessions, nextCursor: fitting.length > from + PAGE ? String(from + PAGE) : null };
  }

  #close({ sessionId }: Json): Json | undefined {
    const known = this.#store.load(asText(sessionId));
    this.#turn?.interrupt();
    if (known) this.#store.save({ ...known, closed: true });
    this.#session = null;
    return this.#host.faults.has("ignore-sigterm") ? undefined : {};
  }

  #open(params: Json, id: string, turns: Conversation["turns"]): Json {
    if (this.#host.faults.has("logged-out")) throw new Refusal(AUTH_REQUIRED);
    const { argv, env } = this.#host;
    const { mode, model } = this.#profile;
    const cwd = asText(params.cwd, this.#host.cwd);
    this.#session = { id, cwd, mode, model, turns: [...turns], argv, env };
    this.#asked.restore(turns);
    return { sessionId: id, ...this.#profile.offers(this.#session) };
  }

  #reopen(params: Json, replays: boolean): Json | null | undefined {
    const id = asText(params.sessionId);
    const known = this.#store.load(id);
    if (!known) return this.#refuseUnknown(id);
    const { sessionId: _, ...opened } = this.#open(params, id, known.turns);
    if (replays || this.#host.faults.has("replay-then-hang")) this.#replay(known);
    if (!this.#host.faults.has("replay-then-hang")) return opened;
    this.#silent = true;
    return undefined;
  }

  #fork(params: Json): Json | null {
    const known = this.#store.load(asText(params.sessionId));
    return known ? this.#open(params, randomUUID(), known.turns) : this.#refuseUnknown(asText(params.sessionId));
  }

  #refuseUnknown(id: string): null {
    const answer = this.#profile.lost(id);
    if ("error" in answer) throw new Refusal(answer.error);
    return answer.result;
  }

  #replay({ id, turns }: Conversation): void {
    const sendChunk = (sessionUpdate: string, text: string) =>
      this.#notify("session/update", { sessionId: id, update: { sessionUpdate, content: { type: "text", text } } });
    for (const { prompt, reply } of turns) {
      sendChunk("user_message_chunk", prompt);
      sendChunk("agent_message_chunk", reply);
    }
  }

  #publishOpened(): void {
    const session = this.#current();
    for (const update of this.#profile.opened(session)) {
      this.#notify("session/update", { sessionId: session.id, update });
    }
  }

  #set(change: { mode?: string; model?: string }): Json {
    Object.assign(this.#current(), change);
    return {};
  }

  #setOption(params: Json): Json {
    const [id, value] = [asText(params.configId), asText(params.value)];
    if (id !== "mode" && id !== "model") throw new Refusal({ code: -32602, message: `Unknown option ${id}` });
    this.#set({ [id]: value });
    return { configOptions: this.#profile.offers(this.#current()).configOptions ?? [] };
  }

  #prompt(params: Json, id: unknown): undefined {
    const session = this.#current();
    if (this.#turn) throw new Refusal({ code: -32600, message: "A turn is already in progress" });
    const blocks = asObjects(params.prompt);
    const text = blocks.map((block) => asText(block.text)).join("\n");
    this.#asked.note("user", blocks);
    const sink = new AcpSink(this.#profile, session, this.#wire(id), this.#asked, this.#granted);
    const turn = new Turn(this.#host, sink, session.cwd, this.#host.stepsFor(text, session.cwd));
    this.#turn = turn;
    const remember = (reply: string) => {
      const turns = [...session.turns, { id: String(id), prompt: text, reply }];
      this.#store.save({ id: session.id, cwd: session.cwd, turns });
      return turns;
    };
    // Stored at once, because the turn may never end.
    remember("");
    void turn.run().then((ending) => {
      session.turns = remember(ending.text);
    });
    return undefined;
  }

  #wire(prompt: unknown) {
    const endPrompt = (frame: Json) => {
      this.#turn = null;
      this.#write({ id: prompt, ...frame });
    };
    return {
      notify: (method: string, params: Json) => this.#notify(method, params),
      request: (method: string, params: Json) => {
        const id = this.#nextId++;
        const result = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
        this.#write({ id, method, params });
        return { id, result };
      },
      forget: (id: number) => void this.#waiting.delete(id),
      answer: (result: Json) => endPrompt({ result }),
      refuse: (error: Json) => endPrompt({ error }),
    };
  }

  #settle(frame: Json): void {
    const id = typeof frame.id === "number" ? frame.id : -1;
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(asObject(frame.result));
  }

  #current(): AcpSession {
    if (!this.#session) throw new Refusal({ code: -32602, message: "No conversation is open" });
    return this.#session;
  }

  #notify(method: string, params: Json): void {
    this.#write({ method, params });
  }

  #write(frame: Json): void {
    this.#host.output.write({ jsonrpc: "2.0", ...frame });
  }
}

/** Only updates are copied: answers carry no session id, and requests would be answered twice. */
function foreignFrame(frame: Json): Json | null {
  const params = asObject(frame.params);
  if (!params.sessionId || frame.id !== undefined) return null;
  return { ...frame, params: { ...params, sessionId: "00000000-0000-4000-8000-00000000f0e1" } };
}
