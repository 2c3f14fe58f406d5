import {
  type AddSubscription,
  GantryError,
  type PushAnswer,
  type PushMessage,
  type PushState,
  type PushSubscriptionRow,
} from "@gantry/protocol";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import type { SessionService } from "../session/api.ts";
import { AnswerTickets } from "./answer-tickets.ts";
import { deliver } from "./deliver.ts";
import type { PushService } from "./handlers.ts";
import { describeFailure, describeRequest } from "./messages.ts";
import { createRequest, parseEndpoint, type RequestOptions, resolvePublic } from "./request.ts";
import { type StoredSubscription, Subscriptions } from "./subscriptions.ts";
import { openServerKeys, type ServerKeys } from "./vapid.ts";

export type PushDeps = {
  home: string;
  store: Store;
  config: Config;
  sessions: Pick<SessionService, "answer">;
  /** Writes `push.enabled` to the configuration file. */
  saveEnabled: (enabled: boolean) => void;
  id: () => string;
  now: () => string;
  log: (line: string) => void;
  /** Set only by tests, whose push service is on this machine. */
  request?: RequestOptions;
};

/** What is to be sent: the message, and whether it is still of use when a retry is due. */
type Notice = { message: PushMessage; input?: string; isCurrent: () => boolean };

/** Sends notifications to subscribed browsers and accepts the answers of their buttons. */
export class Push implements PushService {
  readonly #deps: PushDeps;
  readonly #tickets: AnswerTickets;
  readonly #subscriptions: Subscriptions;
  readonly #stopping = new AbortController();
  #keys: ServerKeys | undefined;

  constructor(deps: PushDeps) {
    this.#deps = deps;
    this.#tickets = new AnswerTickets(deps.store);
    this.#subscriptions = new Subscriptions(deps.store, deps);
  }

  get(): PushState {
    const { enabled, contact } = this.#deps.config.push;
    const publicKey = enabled ? this.#serverKeys().publicKey : undefined;
    return { enabled, contact, ...(publicKey ? { publicKey } : {}), subscriptions: this.#subscriptions.list() };
  }

  switch(enabled: boolean): PushState {
    this.#deps.saveEnabled(enabled);
    if (!enabled) this.#tickets.revoke();
    return this.get();
  }

  async subscribe(body: AddSubscription): Promise<PushSubscriptionRow> {
    this.#requireOn();
    const endpoint = parseEndpoint(body.endpoint, this.#deps.request?.isRefused);
    await resolvePublic(endpoint, this.#deps.request ?? {}).catch((error) => {
      // Without a connection the name is checked when something is sent.
      if (error instanceof GantryError) throw error;
    });
    return this.#subscriptions.add(body);
  }

  revoke(id: string): void {
    this.#subscriptions.remove(id);
    this.#tickets.revoke(id);
  }

  /** Removes all subscriptions and tickets, when a person logs out all browsers. */
  revokeAll(): void {
    this.#subscriptions.removeAll();
    this.#tickets.revoke();
  }

  async test(id: string): Promise<PushSubscriptionRow> {
    this.#requireOn();
    const found = this.#subscriptions.get(id);
    const body = "Notifications of requests and failed turns appear like this one.";
    const message: PushMessage = { title: "Gantry", body, tag: "test", path: "/settings?tab=phone", actions: [] };
    await this.#send(found, { message, isCurrent: () => false });
    return this.#subscriptions.row(id);
  }

  answer({ ticket, decision }: PushAnswer): { id: string; session: string; decision: string } {
    const found = this.#tickets.redeem(ticket);
    if (!found || !this.#deps.config.push.enabled || !this.#subscriptions.has(found.subscription))
      throw new GantryError("bad_ticket", "This notification can no longer answer the request.", {
        remedy: "Open the session and answer it there.",
      });
    return this.#deps.sessions.answer(found.input, { decision });
  }

  /** Notifies of a request that is still pending. Never rejects. */
  async notifyRequest(session: string, input: string): Promise<void> {
    const find = () => {
      const view = this.#deps.store.sessions.get(session)?.view;
      const request = view?.inputs.find(({ id }) => id === input);
      return view && request ? { view, request } : undefined;
    };
    const found = find();
    if (!found) return;
    const message = describeRequest(found.view, found.request);
    await this.#sendToAll({ message, input, isCurrent: () => find() !== undefined });
  }

  /** Notifies of a turn that failed, unless another one runs. Never rejects. */
  async notifyFailure(session: string, reason: string | undefined): Promise<void> {
    const view = this.#deps.store.sessions.get(session)?.view;
    if (!view || view.turn) return;
    await this.#sendToAll({ message: describeFailure(view, reason), isCurrent: () => true });
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #sendToAll(notice: Notice): Promise<void> {
    await Promise.all(this.#subscriptions.all().map((one) => this.#send(one, notice)));
  }

  async #send(to: StoredSubscription, { message, input, isCurrent }: Notice): Promise<void> {
    const hasActions = input !== undefined && message.actions.length > 0;
    const text = JSON.stringify(hasActions ? { ...message, ticket: this.#tickets.issue(input, to.id) } : message);
    const result = await deliver(to, text, {
      send: createRequest(this.#deps.request),
      keys: this.#serverKeys(),
      contact: this.#deps.config.push.contact,
      topic: message.tag,
      isCurrent: () => isCurrent() && this.#deps.config.push.enabled && this.#subscriptions.has(to.id),
      signal: this.#stopping.signal,
    });
    if (this.#stopping.signal.aborted) return;
    if (result === "gone") {
      this.#deps.log(`push: ${to.name} is no longer subscribed`);
      return this.#revokeIfKnown(to.id);
    }
    this.#subscriptions.report(to.id, result.failure);
    if (result.failure) this.#deps.log(`push: ${to.name}: ${result.failure}`);
  }

  #revokeIfKnown(id: string): void {
    if (this.#subscriptions.has(id)) this.revoke(id);
  }

  #serverKeys(): ServerKeys {
    this.#keys ??= openServerKeys(this.#deps.home);
    return this.#keys;
  }

  #requireOn(): void {
    if (this.#deps.config.push.enabled) return;
    throw new GantryError("push_off", "Push notifications are switched off.", {
      remedy: "Switch them on in the settings of the page, or run `gantry push on`.",
    });
  }
}
