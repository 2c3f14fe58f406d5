import type { Conversation } from "@gantry/protocol";
import { type RpcError, readRpc, rpcErrors, rpcFailure, rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { ConversationListing, ProbeTools } from "../../contract.ts";
import { compact, type Fields, fields, firstLine, list, nonBlank } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { errorText, needsLogin } from "../failures.ts";
import { readCapabilities } from "../opening/capabilities.ts";
import { initializeParams } from "../opening/initialize.ts";

const LIST_MS = 30_000;
/** Upper limit of listed conversations. */
const MAX_CONVERSATIONS = 1000;
const TITLE_LIMIT = 200;
const GREETING = 1;
const NOT_LISTED = "it does not support listing.";

/**
 * Lists the agent's conversations page by page, in a dedicated process; with `cwd` only those of that folder. Never
 * rejects.
 */
export async function listConversations(
  dialect: Dialect,
  tools: ProbeTools,
  cwd?: string,
): Promise<ConversationListing> {
  if (dialect.listsByFolder && cwd === undefined) {
    return { ok: false, why: "unsupported", message: "it lists one folder at a time." };
  }
  const listing = new Listing(cwd);
  const greeting = withVersion(rpcRequest(GREETING, "initialize", initializeParams(dialect.version)));
  const done = () => listing.outcome !== undefined;
  const reply = (line: unknown) => listing.reply(line);
  const { stderr } = await tools.converse([...dialect.args], [greeting], done, { timeoutMs: LIST_MS, reply });
  const reason = firstLine(stderr);
  return listing.outcome ?? { ok: false, why: "failed", message: `it did not respond${reason ? `: ${reason}` : "."}` };
}

/** The state of one listing: the conversations found so far and the next page. */
class Listing {
  outcome: ConversationListing | undefined;
  readonly #cwd: string | undefined;
  readonly #found = new Map<string, Conversation>();
  readonly #cursors = new Set<string>();
  #page = GREETING;

  constructor(cwd: string | undefined) {
    this.#cwd = cwd;
  }

  reply(line: unknown): unknown[] {
    const message = readRpc(line);
    if (message?.kind === "request") {
      return [withVersion(rpcFailure(message.id, rpcErrors.methodNotFound, "This client only sends requests."))];
    }
    if (message?.kind === "error" && message.id === this.#page) this.outcome = refusal(message.error);
    if (message?.kind !== "result" || message.id !== this.#page) return [];
    const result = fields(message.result);
    return message.id === GREETING ? this.#handleInitialize(result) : this.#handlePage(result);
  }

  #handleInitialize(result: Fields): unknown[] {
    if (readCapabilities(result).list) return [this.#request()];
    this.outcome = { ok: false, why: "unsupported", message: NOT_LISTED };
    return [];
  }

  #handlePage(result: Fields): unknown[] {
    for (const conversation of list(result.sessions).flatMap(readConversation)) {
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
    return withVersion(rpcRequest(++this.#page, "session/list", compact({ cwd: this.#cwd, cursor })));
  }
}

function refusal(error: RpcError): ConversationListing {
  const unknown = error.code === rpcErrors.methodNotFound;
  const why = unknown ? "unsupported" : needsLogin(error) ? "login" : "failed";
  return { ok: false, why, message: unknown ? NOT_LISTED : errorText(error) };
}

function readConversation(value: unknown): Conversation[] {
  const { sessionId, title, cwd, updatedAt } = fields(value);
  const id = nonBlank(sessionId);
  if (!id) return [];
  const name = firstLine(nonBlank(title) ?? "", TITLE_LIMIT) || undefined;
  return [compact({ id, title: name, cwd: nonBlank(cwd), updatedAt: readTime(nonBlank(updatedAt)) })];
}

function readTime(value: string | undefined): string | undefined {
  const time = Date.parse(value ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Not every agent applies the folder filter. */
function isInFolder({ cwd }: Conversation, wanted: string | undefined): boolean {
  return wanted === undefined || cwd === undefined || cwd === wanted;
}
