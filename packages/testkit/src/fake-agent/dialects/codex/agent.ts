import { join } from "node:path";
import {
  type Conversation,
  ConversationStore,
  type Dialect,
  type Host,
  type Receiver,
  steeredSteps,
  stepsFor,
  Turn,
} from "@gantry/scripted/agent";
import { asObject, asObjects, asText, type Json, parseObject } from "@gantry/scripted/json";
import {
  DEFAULT_MODEL,
  MODEL_LIST,
  newId,
  type ThreadState,
  threadObject,
  threadResponse,
  turnObject,
  VERSION,
} from "./frames.ts";
import { CodexSink } from "./sink.ts";

/** Codex: `app-server`, JSON-RPC on stdio without the `jsonrpc` field. */
export const codex: Dialect = {
  oneShot(argv, faults) {
    if (argv.includes("--version")) return { stdout: `codex-cli ${VERSION}\n`, code: 0 };
    if (argv[0] !== "login" || argv[1] !== "status") return null;
    const loggedIn = !faults.has("logged-out");
    return {
      stdout: "",
      stderr: loggedIn ? "Logged in using an API key\n" : "Not logged in\n",
      code: loggedIn ? 0 : 1,
    };
  },
  start: (host) => new CodexAgent(host),
};

/** A failure that the client gets as a JSON-RPC error. */
class Refusal extends Error {}

interface OpenThread {
  state: ThreadState;
  conversation: Conversation;
  shared: { rounds: number; granted: Set<string> };
  running: { turn: Turn; sink: CodexSink } | null;
}

class CodexAgent implements Receiver {
  readonly #host: Host;
  readonly #home: string;
  readonly #store: ConversationStore;
  readonly #threads = new Map<string, OpenThread>();
  readonly #waiting = new Map<number, (result: Json) => void>();
  #initialized = false;
  #nextId = 0;
  #silent = false;

  /** Each returns its result; `null` means that there is none. */
  readonly #methods: Record<string, (params: Json, id: unknown) => Json | null> = {
    "thread/start": (params) => this.#startThread(params),
    "thread/resume": (params) => this.#resumeThread(params),
    "thread/fork": (params) => this.#forkThread(params),
    "turn/start": (params, id) => this.#startTurn(params, id),
    "turn/steer": (params) => this.#steerTurn(params),
    "turn/interrupt": (params, id) => this.#interruptTurn(params, id),
    "model/list": () => ({ data: MODEL_LIST, nextCursor: null }),
    "account/read": () => ({ account: null, requiresOpenaiAuth: this.#host.faults.has("logged-out") }),
    "collaborationMode/list": () => ({
      data: [
        { name: "Plan", mode: "plan" },
        { name: "Default", mode: "default" },
      ],
    }),
  };

  constructor(host: Host) {
    this.#host = host;
    this.#home = host.env.CODEX_HOME ?? join(host.env.HOME ?? host.cwd, ".codex");
    this.#store = new ConversationStore(join(this.#home, "fake-sessions"));
    host.output.use({ foreign: foreignFrame, unknown: () => ({ method: "x/future", params: { nested: [1, 2, 3] } }) });
  }

  line(line: string): void {
    if (this.#silent || !line.trim()) return;
    const frame = parseObject(line);
    if (!frame) this.#host.stderr(`ERROR codex_app_server: failed to parse: ${line.slice(0, 200)}\n`);
    else if (typeof frame.method === "string") this.#call(frame.method, frame.id, asObject(frame.params));
    else this.#answer(frame);
  }

  end(): void {
    void this.#host.exit(0);
  }

  #call(method: string, id: unknown, params: Json): void {
    if (id === undefined) return;
    try {
      const result = this.#dispatch(method, id, params);
      if (result) this.#host.output.write({ id, result });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#host.output.write({ error: { code: -32600, message: error.message }, id });
    }
  }

  #dispatch(method: string, id: unknown, params: Json): Json | null {
    if (method === "initialize") return this.#initialize(params);
    const run = this.#methods[method];
    if (!run) throw new Refusal(`Invalid request: unknown variant \`${method}\``);
    if (!this.#initialized) throw new Refusal("Not initialized");
    return run(params, id);
  }

  #initialize(params: Json): Json {
    if (this.#initialized) throw new Refusal("Already initialized");
    this.#initialized = true;
    const client = asObject(params.clientInfo);
    const userAgent = `${asText(client.name, "client")}/${VERSION} (fake; ${process.arch})`;
    return { userAgent, codexHome: this.#home, platformFamily: "unix", platformOs: process.platform };
  }

  #startThread(params: Json): Json {
    return this.#open(params, newId(), null, []);
  }

  #resumeThread(params: Json): Json | null {
    const known = this.#load(asText(params.threadId));
    if (this.#host.faults.has("replay-then-hang")) {
      this.#replay(known);
      return null;
    }
    return this.#open({ cwd: known.cwd, ...params }, known.id, null, known.turns);
  }

  #forkThread(params: Json): Json {
    const known = this.#load(asText(params.threadId));
    const cut = known.turns.findIndex((turn) => turn.id === params.lastTurnId);
    const turns = cut < 0 ? known.turns : known.turns.slice(0, cut + 1);
    return this.#open({ cwd: known.cwd, ...params }, newId(), known.id, turns);
  }

  #open(params: Json, id: string, forkedFromId: string | null, turns: Conversation["turns"]): Json {
    const state: ThreadState = {
      id,
      cwd: asText(params.cwd, this.#host.cwd),
      model: asText(params.model, DEFAULT_MODEL),
      approvalPolicy: asText(params.approvalPolicy, "on-request"),
      sandbox: asText(params.sandbox, "read-only"),
      forkedFromId,
    };
    const conversation = { id, cwd: state.cwd, turns: [...turns] };
    this.#store.save(conversation);
    this.#threads.set(id, { state, conversation, shared: { rounds: turns.length, granted: new Set() }, running: null });
    if (turns.length === 0) {
      queueMicrotask(() => this.#notify("thread/started", { thread: threadObject(state, this.#home, []) }));
    }
    return threadResponse(state, this.#home, turns);
  }

  #startTurn(params: Json, id: unknown): Json | null {
    const thread = this.#thread(params);
    const text = inputText(params);
    // A second turn/start during a turn steers it and names the same turn.
    if (thread.running) return { turn: turnObject(this.#steer(thread, text), "inProgress") };
    if (asText(params.model)) thread.state.model = asText(params.model);
    if (asText(params.approvalPolicy)) thread.state.approvalPolicy = asText(params.approvalPolicy);
    const sandbox = SANDBOX_TYPES[asText(asObject(params.sandboxPolicy).type)];
    if (sandbox) thread.state.sandbox = sandbox;
    const sink = new CodexSink(thread.state, this.#wire(), text, thread.shared);
    const turn = new Turn(this.#host, sink, thread.state.cwd, stepsFor(text, thread.state.cwd));
    thread.running = { turn, sink };
    this.#host.output.write({ id, result: { turn: turnObject(sink.turnId, "inProgress") } });
    void turn.run().then((ending) => {
      thread.conversation.turns.push({ id: sink.turnId, prompt: text, reply: ending.text });
      this.#store.save(thread.conversation);
      if (thread.running?.turn === turn) thread.running = null;
    });
    return null;
  }

  #steerTurn(params: Json): Json {
    const thread = this.#thread(params);
    if (!thread.running) throw new Refusal("no active turn to steer");
    return { turnId: this.#steer(thread, inputText(params)) };
  }

  #steer({ running, state }: OpenThread, text: string): string {
    if (!running) throw new Refusal("no active turn to steer");
    const { turn, sink } = running;
    turn.steer(steeredSteps(text, state.cwd), { cut: true });
    queueMicrotask(() => sink.userMessage(text));
    return sink.turnId;
  }

  #interruptTurn(params: Json, id: unknown): null {
    const thread = this.#thread(params);
    if (!thread.running) throw new Refusal("no active turn to interrupt");
    const { turn } = thread.running;
    this.#host.output.write({ id, result: {} });
    if (!this.#host.faults.has("ignore-interrupt")) thread.running = null;
    turn.interrupt();
    return null;
  }

  #thread(params: Json): OpenThread {
    const thread = this.#threads.get(asText(params.threadId));
    if (!thread) throw new Refusal(`thread not found: ${asText(params.threadId)}`);
    return thread;
  }

  #load(id: string): Conversation {
    const known = this.#store.load(id);
    if (!known) throw new Refusal(`no rollout found for thread id ${id}`);
    return known;
  }

  #answer(frame: Json): void {
    const id = typeof frame.id === "number" ? frame.id : -1;
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(asObject(frame.result));
  }

  #wire() {
    return {
      notify: (method: string, params: Json) => this.#notify(method, params),
      request: (method: string, params: Json) => {
        const id = this.#nextId++;
        const result = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
        this.#host.output.write({ method, id, params });
        return { id, result };
      },
      forget: (id: number) => void this.#waiting.delete(id),
    };
  }

  #replay(known: Conversation): void {
    this.#silent = true;
    for (const turn of known.turns) {
      const item = { type: "agentMessage", id: `${turn.id}-agent`, text: turn.reply };
      this.#notify("item/completed", { threadId: known.id, turnId: turn.id, item, completedAtMs: Date.now() });
    }
  }

  #notify(method: string, params: Json): void {
    this.#host.output.write({ method, params, emittedAtMs: Date.now() });
  }
}

const SANDBOX_TYPES: Record<string, string> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

function inputText(params: Json): string {
  return asObjects(params.input)
    .map((part) => asText(part.text))
    .join("\n");
}

/** Only notifications are copied: requests would be answered twice. */
function foreignFrame(frame: Json): Json | null {
  const params = asObject(frame.params);
  if (!params.threadId || frame.id !== undefined) return null;
  return { ...frame, params: { ...params, threadId: "0000f0e1-0000-7000-8000-000000000000" } };
}
