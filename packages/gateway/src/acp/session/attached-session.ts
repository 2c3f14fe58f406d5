import type { Frame } from "@gantry/client";
import { type Attachment, GantryError, type Session } from "@gantry/protocol";
import { configOptions } from "../requests/config-options.ts";
import { Translator } from "../updates/translator.ts";
import type { Output, TurnEnd, Update } from "../updates/update.ts";
import { type Api, callApi } from "./api.ts";
import { Dialogs } from "./dialogs.ts";
import type { EditorClient } from "./editor-client.ts";
import { findMessage } from "./find-message.ts";
import { Prompts } from "./prompts.ts";

export type AttachOptions = {
  api: Api;
  editor: EditorClient;
  session: Session;
  /** `all`: the client gets the whole conversation. `none`: only what happens from now on. */
  replay: "all" | "none";
  /** Whether the client knows the session's id already. Otherwise nothing is sent before `begin`. */
  isNamed: boolean;
};

/** A message of the client, with the id that makes its delivery idempotent. */
export type PromptMessage = {
  id: string;
  text: string;
  attachments: Attachment[];
  /** The client chose the id and may have sent the message before. */
  isRepeatable: boolean;
};

/**
 * One session in one editor. It follows the session's log, sends updates in the order of the log, asks for answers and
 * reports the end of prompts. It survives restarts of the daemon: the log is followed again after the last event.
 */
export class AttachedSession {
  readonly id: string;
  readonly #options: AttachOptions;
  readonly #translator: Translator;
  readonly #prompts = new Prompts();
  readonly #dialogs: Dialogs;
  readonly #stop = new AbortController();
  readonly #replayed = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();
  #isReplaying = true;
  /** The last state of the session, for a client that attaches in the middle of a turn. */
  #state: Update = { kind: "state", state: "idle" };
  #config: Promise<void> | undefined;

  constructor(options: AttachOptions) {
    const { api, editor, session, replay, isNamed } = options;
    if (isNamed) this.#begun.resolve();
    this.id = session.id;
    this.#options = options;
    const needsLog = replay === "all" || isBusy(session);
    // Without the log, the translator starts after the past turns.
    const past = needsLog ? {} : { usd: session.cost?.usd };
    this.#translator = new Translator({ cwd: session.cwd, ...past });
    this.#dialogs = new Dialogs(api, editor, session.id);
    editor.setFolder(session.id, session.cwd);
    void this.#follow(needsLog ? 0 : session.lastSeq);
  }

  /** Resolves when the client has the whole conversation so far. Rejects if the session cannot be followed. */
  async ready(): Promise<void> {
    await this.#replayed.promise;
  }

  /** The client has the response that names the session: requests to its user may follow. */
  begin(): void {
    this.#begun.resolve();
    this.#dialogs.begin();
    this.#sendCommands().catch((error) =>
      this.#options.api.report(`${this.id}: commands: ${(error as Error).message}`),
    );
  }

  /** Resolves when the message's turn has started. */
  async start(message: PromptMessage): Promise<void> {
    await (await this.#send(message)).started.promise;
  }

  /** Resolves when the message's turn has ended. */
  async prompt(message: PromptMessage): Promise<TurnEnd> {
    return (await this.#send(message)).ended.promise;
  }

  /**
   * Stop: ends the running turn and holds the queue. Prompts of this client that wait in the queue are taken out of it: the
   * client regards them as cancelled. Never rejects.
   */
  async cancel(): Promise<void> {
    const { api } = this.#options;
    try {
      for (const message of await this.#prompts.cancel()) await this.#takeBack(message);
      await callApi(api, (client) => client.sessions.interrupt(this.id));
    } catch (error) {
      api.report(`${this.id}: cancel failed: ${(error as Error).message}`);
    }
    this.#prompts.endCancelled();
  }

  /** Ends the prompts of this client as `cancel` does, then leaves the session. */
  async close(): Promise<void> {
    if (this.#prompts.size > 0) {
      await this.cancel();
      await this.#prompts.settled();
    }
    this.detach();
  }

  /** Leaves the session. A running turn continues. */
  detach(): void {
    this.#stop.abort();
    this.#dialogs.close();
  }

  async #send({ id, text, attachments, isRepeatable }: PromptMessage) {
    const { api } = this.#options;
    const earlier = isRepeatable ? await findMessage(api, this.id, id) : undefined;
    if (earlier) return this.#prompts.join(id, earlier);
    const { turn } = await callApi(api, (client) => client.sessions.get(this.id));
    // A message starts a turn also in a paused queue, but it never steers the turn of another client.
    const delivery = !turn ? "auto" : turn.stopping ? "interrupt" : "queue";
    const body = { id, text, delivery, ...(attachments.length > 0 ? { attachments } : {}) } as const;
    return this.#prompts.add(id, () => callApi(api, (client) => client.sessions.send(this.id, body)));
  }

  /** The slash commands that are known now. Those that the agent reports later replace them. */
  async #sendCommands(): Promise<void> {
    const { api, editor, session } = this.#options;
    const { agent, cwd, commands } = session;
    const list = commands ?? (await callApi(api, (client) => client.agents.commands(agent, cwd))).commands;
    if (list.length > 0) await editor.update(this.id, { kind: "commands", list });
  }

  async #takeBack(message: string): Promise<void> {
    const { api } = this.#options;
    await callApi(api, (client) => client.sessions.cancelMessage(this.id, message)).catch((error) => {
      // The turn took it meanwhile: the interrupt ends that turn.
      if (!(error instanceof GantryError)) throw error;
    });
  }

  async #follow(after: number): Promise<void> {
    const { api } = this.#options;
    const signal = AbortSignal.any([this.#stop.signal, api.signal]);
    const onReconnect = () => void api.recover?.().catch((error) => api.report(`${this.id}: ${error.message}`));
    try {
      await this.#begun.promise;
      for await (const frame of api.client.follow(this.id, { after, signal, onReconnect })) await this.#take(frame);
      this.#fail(new GantryError("session_ended", `${this.id} was closed.`));
    } catch (error) {
      if (!signal.aborted) api.report(`${this.id}: ${(error as Error).message}`);
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#replayed.promise.catch(() => {});
    this.#replayed.reject(error);
    this.#prompts.fail(error);
    this.#dialogs.close();
  }

  async #take(frame: Frame): Promise<void> {
    if ("event" in frame) return this.#emit(this.#translator.take(frame.event));
    if ("snapshot" in frame) {
      if (this.#isReplaying && this.#options.replay === "none") this.#translator.takeSnapshot(frame.snapshot.open);
      else await this.#emit(this.#translator.takeSnapshot(frame.snapshot.open));
      if (this.#isReplaying) await this.#finishReplay();
      return;
    }
    if ("gap" in frame) {
      const text = `Events ${frame.gap.from} to ${frame.gap.to} of this session are no longer available.`;
      const id = `notice-gap-${frame.gap.from}`;
      return this.#emit([{ update: { kind: "notice", id, severity: "warning", text, durable: false } }]);
    }
    if (frame.live.type === "delta") await this.#emit(this.#translator.takeDelta(frame.live));
  }

  async #finishReplay(): Promise<void> {
    this.#isReplaying = false;
    const state =
      this.#state.kind === "state" && this.#state.state === "idle" ? { kind: "state", state: "idle" } : this.#state;
    await this.#options.editor.update(this.id, state as Update);
    this.#replayed.resolve();
  }

  async #emit(outputs: readonly Output[]): Promise<void> {
    for (const output of outputs) {
      if ("update" in output) await this.#show(output.update);
      if ("ask" in output) this.#dialogs.add(output.ask);
      if ("settled" in output) this.#dialogs.settle(output.settled);
      if ("config" in output) this.#refreshConfig();
      for (const message of this.#prompts.take(output)) {
        await this.#takeBack(message);
        this.#prompts.endCancelled();
      }
    }
  }

  async #show(update: Update): Promise<void> {
    const { editor, replay } = this.#options;
    if (update.kind === "state") this.#state = update;
    if (this.#isReplaying && (replay === "none" || update.kind === "state")) return;
    if (update.kind === "user" && editor.promptEnds && this.#prompts.isOwn(update.id)) return;
    await editor.update(this.id, update);
  }

  /** Several changes at once give one update. */
  #refreshConfig(): void {
    if (this.#isReplaying || this.#config) return;
    this.#config = this.#sendConfig()
      .catch((error) => this.#options.api.report(`${this.id}: settings: ${(error as Error).message}`))
      .finally(() => {
        this.#config = undefined;
      });
  }

  async #sendConfig(): Promise<void> {
    const { api, editor } = this.#options;
    await new Promise((done) => setImmediate(done));
    await editor.updateConfig(this.id, await readConfig(api, this.id));
  }
}

/** The settings of a session as the client sees them. */
export async function readConfig(api: Api, id: string) {
  const session = await callApi(api, (client) => client.sessions.get(id));
  return configOptions(session, await readRow(api, session.agent));
}

/** The agent's row; `undefined` if this daemon does not know the agent. */
export async function readRow(api: Api, agent: string) {
  try {
    return (await callApi(api, (client) => client.agents.get(agent))).agent;
  } catch (error) {
    if (error instanceof GantryError && error.code === "no_such_agent") return undefined;
    throw error;
  }
}

/** Whether the end of the log is needed to follow the session: a turn, an input or a message is open. */
function isBusy({ state, inputs, queue, tasks = [] }: Session): boolean {
  return state !== "idle" || inputs.length > 0 || queue.length > 0 || tasks.some(({ status }) => status === "running");
}
