import type { Conversation } from "@gantry/protocol";
import { type RpcError, readRpc, rpcErrors, rpcFailure, rpcRequest } from "../../framing/json-rpc.ts";
import type { ConversationListing, ProbeTools } from "../contract.ts";
import { type Fields, fields, firstLine, nonBlank } from "../fields.ts";

const LIST_MS = 30_000;
/** Upper limit of listed conversations. */
const MAX_CONVERSATIONS = 1000;
const TITLE_LIMIT = 200;
const GREETING = 1;
const NOT_LISTED = "it does not support listing.";

/** How an agent that speaks JSON-RPC lists its conversations. */
export type ListProtocol = {
  args: readonly string[];
  /** The message on the wire. */
  wrap: (message: object) => unknown;
  initialize: Fields;
  /** Frames that follow the reply to `initialize`; `undefined` if the agent cannot list conversations. */
  afterInitialize: (result: Fields) => unknown[] | undefined;
  method: string;
  params: (page: { cwd?: string; cursor?: string }) => Fields;
  read: (result: Fields) => Conversation[];
  needsLogin: (error: RpcError) => boolean;
  errorText: (error: RpcError) => string;
};

/**
 * Lists the agent's conversations page by page, in a dedicated process; with `cwd` only those of that folder. Never
 * rejects.
 */
export async function listPages(protocol: ListProtocol, tools: ProbeTools, cwd?: string): Promise<ConversationListing> {
  const listing = new Listing(protocol, cwd);
  const greeting = protocol.wrap(rpcRequest(GREETING, "initialize", protocol.initialize));
  const done = () => listing.outcome !== undefined;
  const reply = (line: unknown) => listing.reply(line);
  const { stderr } = await tools.converse([...protocol.args], [greeting], done, { timeoutMs: LIST_MS, reply });
  const reason = firstLine(stderr);
  return listing.outcome ?? { ok: false, why: "failed", message: `it did not respond${reason ? `: ${reason}` : "."}` };
}

/** The first line of a title, shortened. */
export function conversationTitle(value: unknown): string | undefined {
  return firstLine(nonBlank(value) ?? "", TITLE_LIMIT) || undefined;
}

/** The state of one listing: the conversations found so far and the next page. */
class Listing {
  outcome: ConversationListing | undefined;
  readonly #protocol: ListProtocol;
  readonly #cwd: string | undefined;
  readonly #found = new Map<string, Conversation>();
  readonly #cursors = new Set<string>();
  #page = GREETING;

  constructor(protocol: ListProtocol, cwd: string | undefined) {
    this.#protocol = protocol;
    this.#cwd = cwd;
  }

  reply(line: unknown): unknown[] {
    const message = readRpc(line);
    if (message?.kind === "request") {
      const refusal = rpcFailure(message.id, rpcErrors.methodNotFound, "This client only sends requests.");
      return [this.#protocol.wrap(refusal)];
    }
    if (message?.kind === "error" && message.id === this.#page) this.outcome = this.#refusal(message.error);
    if (message?.kind !== "result" || message.id !== this.#page) return [];
    const result = fields(message.result);
    return message.id === GREETING ? this.#handleInitialize(result) : this.#handlePage(result);
  }

  #handleInitialize(result: Fields): unknown[] {
    const frames = this.#protocol.afterInitialize(result);
    if (frames) return [...frames, this.#request()];
    this.outcome = { ok: false, why: "unsupported", message: NOT_LISTED };
    return [];
  }

  #handlePage(result: Fields): unknown[] {
    for (const conversation of this.#protocol.read(result)) {
      if (isInFolder(conversation, this.#cwd)) this.#found.set(conversation.id, conversation);
    }
    const cursor = nonBlank(result.nextCursor);
    const more = cursor !== undefined && !this.#cursors.has(cursor);
    if (more && this.#found.size < MAX_CONVERSATIONS) {
      this.#cursors.add(cursor);
      return [this.#request(cursor)];
    }
    this.outcome = { ok: true, conversations: [...this.#found.values()], complete: !more };
    return [];
  }

  #request(cursor?: string): unknown {
    const { wrap, method, params } = this.#protocol;
    return wrap(rpcRequest(++this.#page, method, params({ cwd: this.#cwd, cursor })));
  }

  #refusal(error: RpcError): ConversationListing {
    const unknown = error.code === rpcErrors.methodNotFound;
    const why = unknown ? "unsupported" : this.#protocol.needsLogin(error) ? "login" : "failed";
    return { ok: false, why, message: unknown ? NOT_LISTED : this.#protocol.errorText(error) };
  }
}

/** Not every agent applies the folder filter. */
function isInFolder({ cwd }: Conversation, wanted: string | undefined): boolean {
  return wanted === undefined || cwd === undefined || cwd === wanted;
}
