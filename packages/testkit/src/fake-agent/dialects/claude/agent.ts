import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  type Conversation,
  ConversationStore,
  contentText,
  type Dialect,
  flagValue,
  type Host,
  type Receiver,
  stepsFor,
  Turn,
} from "@gantry/scripted/agent";
import { asObject, asText, type Json, parseObject } from "@gantry/scripted/json";
import { answerControl } from "./control.ts";
import { DEFAULT_MODEL, resultFrame, type SessionState, VERSION } from "./frames.ts";
import { ClaudeSink } from "./sink.ts";

const BYPASS = "--dangerously-skip-permissions";

/** Claude Code: stream-json in and out with the control protocol. */
export const claude: Dialect = {
  oneShot(argv, faults) {
    if (argv.includes("--version") || argv[0] === "-v") return { stdout: `${VERSION} (Claude Code)\n`, code: 0 };
    if (argv[0] !== "auth" || argv[1] !== "status") return null;
    const loggedIn = !faults.has("logged-out");
    const how = loggedIn ? { authMethod: "api_key", apiKeySource: "ANTHROPIC_API_KEY" } : { authMethod: "none" };
    return { stdout: `${JSON.stringify({ loggedIn, ...how, apiProvider: "firstParty" })}\n`, code: loggedIn ? 0 : 1 };
  },
  start: (host) => new ClaudeAgent(host),
};

interface Message {
  uuid: string;
  text: string;
}

class ClaudeAgent implements Receiver {
  readonly #host: Host;
  readonly #store: ConversationStore;
  readonly #session: SessionState;
  readonly #conversation: Conversation;
  readonly #sink: ClaudeSink;
  readonly #queue: Message[] = [];
  #turn: Turn | null = null;
  #inputEnded = false;
  #silent = false;

  constructor(host: Host) {
    this.#host = host;
    const home = host.env.CLAUDE_CONFIG_DIR ?? join(host.env.HOME ?? host.cwd, ".claude");
    this.#store = new ConversationStore(join(home, "fake-sessions"));
    this.#conversation = this.#openConversation();
    const mode = host.argv.includes(BYPASS) ? "bypassPermissions" : flagValue(host.argv, "--permission-mode");
    const { id } = this.#conversation;
    this.#session = {
      id,
      cwd: host.cwd,
      mode: mode ?? "default",
      model: flagValue(host.argv, "--model") ?? DEFAULT_MODEL,
    };
    const partials = host.argv.includes("--include-partial-messages");
    this.#sink = new ClaudeSink(this.#session, (frame) => host.output.write(frame), partials);
    host.output.use({
      foreign: (frame) => (frame.session_id ? { ...frame, session_id: "00000000-0000-4000-8000-00000000f0e1" } : null),
      unknown: () => ({ type: "system", subtype: "x_future", payload: [1, 2], session_id: id, uuid: randomUUID() }),
    });
    if (host.faults.has("replay-then-hang") && this.#conversation.turns.length > 0) this.#replay();
  }

  line(line: string): void {
    if (this.#silent || !line.trim()) return;
    const frame = parseObject(line);
    if (!frame) {
      this.#host.stderr(`Error parsing streaming input line: ${line.slice(0, 200)}\n`);
      void this.#host.exit(1);
      return;
    }
    if (frame.type === "control_request") this.#control(asText(frame.request_id), asObject(frame.request));
    else if (frame.type === "control_response") this.#answer(asObject(frame.response));
    else if (frame.type === "user") this.#take(frame);
  }

  end(): void {
    this.#inputEnded = true;
    this.#sink.hangUp();
    if (!this.#turn) void this.#host.exit(this.#sink.failed ? 1 : 0);
  }

  #take(frame: Json): void {
    const message = { uuid: asText(frame.uuid), text: contentText(asObject(frame.message).content) };
    this.#lifecycle(message, "queued");
    this.#queue.push(message);
    if (!this.#turn) this.#next();
  }

  #next(): void {
    const message = this.#queue.shift();
    if (!message) {
      if (this.#inputEnded) void this.#host.exit(this.#sink.failed ? 1 : 0);
      return;
    }
    this.#lifecycle(message, "started");
    this.#sink.messages = message.uuid ? [message.uuid] : [];
    this.#turn = new Turn(this.#host, this.#sink, this.#session.cwd, stepsFor(message.text, this.#session.cwd));
    void this.#turn.run().then((ending) => {
      this.#lifecycle(message, ending.outcome === "completed" ? "completed" : "cancelled");
      this.#conversation.turns.push({ id: message.uuid || randomUUID(), prompt: message.text, reply: ending.text });
      this.#store.save(this.#conversation);
      this.#turn = null;
      this.#next();
    });
  }

  #control(id: string, request: Json): void {
    if (request.subtype === "interrupt") {
      const still_queued = this.#queue.map((message) => message.uuid).filter(Boolean);
      this.#respond(id, { subtype: "success", response: { still_queued } });
      this.#turn?.interrupt();
      return;
    }
    if (request.subtype === "cancel_async_message") return this.#giveBack(id, asText(request.message_uuid));
    const result = answerControl(request, this.#session, this.#host.argv.includes(BYPASS));
    for (const frame of result.before ?? []) this.#host.output.write(frame);
    if (result.error)
      this.#respond(id, { subtype: "error", error: result.error.message, error_code: result.error.code });
    else this.#respond(id, { subtype: "success", ...(result.response ? { response: result.response } : {}) });
    for (const frame of result.after ?? []) this.#host.output.write(frame);
  }

  /** Only a message that no turn has started on is given back. */
  #giveBack(id: string, uuid: string): void {
    const at = this.#queue.findIndex((message) => message.uuid === uuid);
    const [message] = at < 0 ? [] : this.#queue.splice(at, 1);
    if (message) this.#lifecycle(message, "cancelled");
    this.#respond(id, { subtype: "success", response: { cancelled: message !== undefined } });
  }

  #answer(response: Json): void {
    this.#sink.settle(asText(response.request_id), response);
  }

  #respond(id: string, response: Json): void {
    this.#host.output.write({ type: "control_response", response: { request_id: id, ...response } });
  }

  #lifecycle({ uuid }: Message, state: string): void {
    if (!uuid) return;
    const frame = { type: "command_lifecycle", command_uuid: uuid, state, uuid: randomUUID() };
    this.#host.output.write({ ...frame, session_id: this.#session.id });
  }

  /** A new, resumed or forked conversation, by the flags. Exits where the real program exits. */
  #openConversation(): Conversation {
    const { argv, cwd } = this.#host;
    const wanted = flagValue(argv, "--session-id");
    const resume = flagValue(argv, "--resume") ?? flagValue(argv, "-r");
    if (!resume) {
      if (wanted && this.#store.load(wanted)) this.#refuse(`Error: Session ID ${wanted} is already in use.\n`);
      return { id: wanted ?? randomUUID(), cwd, turns: [] };
    }
    const known = this.#store.load(resume);
    if (!known) this.#refuseResume(resume);
    const fork = argv.includes("--fork-session");
    return { id: fork ? (wanted ?? randomUUID()) : resume, cwd, turns: known?.turns ?? [] };
  }

  #refuseResume(id: string): void {
    const session = { id, cwd: this.#host.cwd, mode: "default", model: DEFAULT_MODEL };
    const errors = [`No conversation found with session ID: ${id}`];
    const more = { subtype: "error_during_execution", is_error: true, stop_reason: null, errors };
    this.#host.output.write(resultFrame(session, 0, null, more));
    this.#refuse(`${errors[0]}\n`);
  }

  #refuse(message: string): void {
    this.#silent = true;
    this.#host.stderr(message);
    void this.#host.exit(1);
  }

  #replay(): void {
    this.#silent = true;
    for (const turn of this.#conversation.turns) {
      const message = { role: "user", content: [{ type: "text", text: turn.prompt }] };
      this.#host.output.write({ type: "user", message, session_id: this.#session.id, isReplay: true, uuid: turn.id });
    }
  }
}
