import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { type CreateSession, GantryError, type IdKind, type Mode, makeIds, type Session } from "@gantry/protocol";
import { type ConfigOption, configOptions, readChoice } from "./requests/config-options.ts";
import { type EditorServer, readServers } from "./requests/mcp-servers.ts";
import { type PromptBlock, readPrompt } from "./requests/prompt-content.ts";
import { type Api, callApi } from "./session/api.ts";
import { AttachedSession, type PromptMessage, readRow } from "./session/attached-session.ts";
import type { EditorClient } from "./session/editor-client.ts";

/** Settings of new sessions, from the command line. */
export type GatewayDefaults = {
  agent?: string;
  mode?: Mode | null;
  /** The session that the first `session/new` opens instead of creating one. */
  session?: string;
};

/** Where a session works, of either protocol version. */
export type Place = {
  cwd: string;
  additionalDirectories?: readonly string[] | null;
  mcpServers?: readonly EditorServer[] | null;
};

/** A session as a response describes it. */
export type OpenedSession = { session: Session; options: ConfigOption[] };

/** The requests of one connection, the same for both protocol versions. Methods reject with `GantryError` or `RequestError`. */
export class Gateway {
  readonly #api: Api;
  readonly #editor: EditorClient;
  readonly #defaults: GatewayDefaults;
  readonly #sessions = new Map<string, AttachedSession>();
  readonly #id: (kind: IdKind) => string = makeIds(Date.now, Math.random);
  #preset: string | undefined;

  constructor(api: Api, editor: EditorClient, defaults: GatewayDefaults) {
    this.#api = api;
    this.#editor = editor;
    this.#defaults = defaults;
    this.#preset = defaults.session;
    api.signal.addEventListener("abort", () => this.#detachAll());
  }

  /** Creates a session; with `--session`, the first call opens that one and its conversation follows the response. */
  async create(place: Place): Promise<OpenedSession> {
    if (this.#preset !== undefined) return this.#openPreset(place);
    const { agent, mode } = this.#defaults;
    const servers = readServers(place.mcpServers);
    const body: CreateSession = {
      id: this.#id("session"),
      cwd: place.cwd,
      ...(agent ? { agent } : {}),
      ...(mode === undefined ? {} : { mode }),
      ...(place.additionalDirectories?.length ? { folders: [...place.additionalDirectories] } : {}),
      ...(Object.keys(servers).length > 0 ? { servers } : {}),
    };
    const session = await callApi(this.#api, (client) => client.sessions.create(body));
    this.#attach(session, "all", false);
    return this.#describe(session);
  }

  /** Opens an existing session. `replay: all` resolves when the client has the whole conversation. */
  async open(id: string, place: Place, replay: "all" | "none"): Promise<OpenedSession> {
    const found = await callApi(this.#api, (client) => client.sessions.get(id));
    const session = await this.#applyPlace(found, place);
    const attached = this.#attach(session, replay, true);
    try {
      await attached.ready();
    } catch (error) {
      this.#sessions.delete(id);
      throw error;
    }
    return this.#describe(session);
  }

  /** A copy of a session in the same folder. Its files stay as they are. */
  async fork(id: string, place: Place): Promise<OpenedSession> {
    const body = { id: this.#id("session"), files: "none" as const };
    const forked = await callApi(this.#api, (client) => client.sessions.fork(id, body));
    const session = await this.#applyPlace(forked, place);
    this.#attach(session, "none", false);
    return this.#describe(session);
  }

  async list(query: { cwd?: string | null; cursor?: string | null; archived?: string | null }) {
    const archived = query.archived === "only" ? "1" : query.archived === "include" ? "all" : "0";
    const more = { archived, limit: 100, ...(query.cursor ? { cursor: query.cursor } : {}) } as const;
    const { sessions, nextCursor } = await callApi(this.#api, (client) => client.sessions.list(more));
    return { sessions: sessions.filter(({ cwd }) => !query.cwd || cwd === query.cwd), nextCursor };
  }

  /** The response to the request that opened the session was sent. */
  begin(id: string): void {
    this.#sessions.get(id)?.begin();
  }

  /** Leaves the session and releases the agent's process, unless another client's turn runs. Harmless if it is not open. */
  async close(id: string): Promise<void> {
    await this.#sessions.get(id)?.close();
    this.#sessions.delete(id);
    await callApi(this.#api, (client) => client.sessions.close(id)).catch((error) => {
      if (!(error instanceof GantryError && error.code === "turn_running")) throw error;
    });
  }

  async setOption(id: string, option: string, value: unknown): Promise<ConfigOption[]> {
    this.#require(id);
    const options = (await this.#describe(await callApi(this.#api, (client) => client.sessions.get(id)))).options;
    const patch = readChoice(options, option, value);
    const { session } = await callApi(this.#api, (client) => client.sessions.patch(id, patch));
    return (await this.#describe(session)).options;
  }

  /** Resolves when the turn of the prompt has ended. */
  async prompt(id: string, blocks: readonly PromptBlock[], meta: unknown) {
    return this.#require(id).prompt(this.#message(blocks, meta));
  }

  /** Resolves with the message's id when its turn has started. */
  async startPrompt(id: string, blocks: readonly PromptBlock[], meta: unknown): Promise<string> {
    const message = this.#message(blocks, meta);
    await this.#require(id).start(message);
    return message.id;
  }

  async cancel(id: string): Promise<void> {
    await this.#sessions.get(id)?.cancel();
  }

  /** `_meta.gantry.messageId` makes a prompt idempotent across connections. */
  #message(blocks: readonly PromptBlock[], meta: unknown): PromptMessage {
    const given = (meta as { gantry?: { messageId?: unknown } } | null | undefined)?.gantry?.messageId;
    const isRepeatable = typeof given === "string";
    return { ...readPrompt(blocks), id: isRepeatable ? given : this.#id("message"), isRepeatable };
  }

  async #openPreset(place: Place): Promise<OpenedSession> {
    const id = this.#preset ?? "";
    this.#preset = undefined;
    const session = await this.#applyPlace(await callApi(this.#api, (client) => client.sessions.get(id)), place);
    this.#attach(session, "all", false);
    return this.#describe(session);
  }

  #attach(session: Session, replay: "all" | "none", isNamed: boolean): AttachedSession {
    this.#sessions.get(session.id)?.detach();
    const attached = new AttachedSession({ api: this.#api, editor: this.#editor, session, replay, isNamed });
    this.#sessions.set(session.id, attached);
    return attached;
  }

  /** The editor's servers and folders replace those of an earlier connection. */
  async #applyPlace(session: Session, place: Place): Promise<Session> {
    const servers = readServers(place.mcpServers);
    const folders = [...(place.additionalDirectories ?? [])];
    const hasServers = Object.keys(servers).length > 0 || (session.servers?.length ?? 0) > 0;
    const hasFolders = folders.length > 0 && folders.join("\n") !== session.folders?.join("\n");
    if (!hasServers && !hasFolders) return session;
    const patch = { ...(hasServers ? { servers } : {}), ...(hasFolders && !session.turn ? { folders } : {}) };
    if (Object.keys(patch).length === 0) return session;
    return (await callApi(this.#api, (client) => client.sessions.patch(session.id, patch))).session;
  }

  async #describe(session: Session): Promise<OpenedSession> {
    return { session, options: configOptions(session, await readRow(this.#api, session.agent)) };
  }

  #require(id: string): AttachedSession {
    const attached = this.#sessions.get(id);
    if (attached) return attached;
    throw new RequestError(-32002, `This connection has not opened the session ${id}.`, { sessionId: id });
  }

  #detachAll(): void {
    for (const attached of this.#sessions.values()) attached.detach();
    this.#sessions.clear();
  }
}
