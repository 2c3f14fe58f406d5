import {
  type CreateSession,
  GantryError,
  type InputAnswer,
  type InputRequest,
  makeIds,
  type SendMessage,
  type Sent,
} from "@gantry/protocol";
import { flushCells } from "../cell.ts";
import { client } from "../connection/client.ts";
import { connection } from "../connection/connection.ts";
import { storeSession } from "../sessions/sessions.ts";
import { storedCell } from "../stored-cell.ts";
import { toastError } from "../toasts.ts";

/** A user action that the daemon has not acknowledged yet. `id` makes sending it idempotent. */
export type Outgoing =
  | { kind: "message"; id: string; session: string; body: SendMessage & { id: string } }
  | { kind: "answer"; id: string; session: string; body: InputAnswer; secret: boolean }
  | { kind: "create"; id: string; session: string; body: CreateSession & { id: string } };

/** `stored`: it waits for the daemon. `sent` has the delivery of a message. */
export type Outcome = { state: "sent"; sent?: Sent } | { state: "stored" };

type Waiter = { resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
type Refusal = (outgoing: Outgoing, error: unknown) => void;

/** Survives a reload, except for secrets and for files that do not fit into storage; those stay in memory only. */
export const outbox = storedCell<readonly Outgoing[]>("outbox", [], [withoutSecrets, withoutFiles]);

export const newId = makeIds(Date.now, Math.random);

const RETRY_MS = 2000;
const waiters = new Map<string, Waiter>();
/** Sessions with a call in flight. Actions of one session are sent in order, one at a time. */
const sending = new Set<string>();
const refusals = new Set<Refusal>();

/**
 * Sends a message now, or when the daemon is back. Rejects if the daemon refuses it; then it is not stored.
 */
export function sendMessage(session: string, message: SendMessage): Promise<Outcome> {
  const id = message.id ?? newId("message");
  return put({ kind: "message", id, session, body: { ...message, id } });
}

/** Creates a session now, or when the daemon is back. The caller chooses its id. */
export function createSession(body: CreateSession & { id: string }): Promise<Outcome> {
  return put({ kind: "create", id: body.id, session: body.id, body });
}

/** Answers an input now, or when the daemon is back. Rejects if another client has already answered. */
export function answerInput(input: InputRequest, body: InputAnswer): Promise<Outcome> {
  const secret = input.questions?.some((question) => question.secret) ?? false;
  return put({ kind: "answer", id: input.id, session: input.session, body, secret });
}

/** Discards an action that is not in flight yet. */
export function discard(id: string): void {
  drop(id);
  flushCells();
}

/** Subscribes to actions that were stored and then refused, when their callers no longer wait. */
export function onRefused(listener: Refusal): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** Sends stored actions in order whenever the daemon is online. Called once. */
export function startOutbox(): void {
  const sendAll = () => {
    if (connection.get().state !== "online") return;
    for (const session of new Set(outbox.get().map((outgoing) => outgoing.session))) void drain(session);
  };
  connection.subscribe(sendAll);
  sendAll();
}

function put(outgoing: Outgoing): Promise<Outcome> {
  outbox.update((list) => [...list.filter((other) => other.id !== outgoing.id), outgoing]);
  flushCells();
  if (connection.get().state === "offline") return Promise.resolve({ state: "stored" });
  return new Promise((resolve, reject) => {
    waiters.set(outgoing.id, { resolve, reject });
    void drain(outgoing.session);
  });
}

async function drain(session: string): Promise<void> {
  if (sending.has(session)) return;
  sending.add(session);
  let unreachable = false;
  while (!unreachable) {
    const next = outbox.get().find((outgoing) => outgoing.session === session);
    if (!next) break;
    unreachable = !(await deliver(next));
  }
  // Before the callers are notified, because they may send again immediately.
  sending.delete(session);
  if (unreachable) deferSession(session);
}

/** Returns false if the daemon is unreachable; then all actions of the session wait. Never throws. */
async function deliver(outgoing: Outgoing): Promise<boolean> {
  try {
    const sent = await post(outgoing);
    settle(outgoing, (waiter) => waiter.resolve({ state: "sent", sent }));
  } catch (error) {
    if (isUnreachable(error)) return false;
    const hasCaller = settle(outgoing, (waiter) => waiter.reject(error));
    if (!hasCaller) publishRefusal(outgoing, error);
  }
  return true;
}

async function post(outgoing: Outgoing): Promise<Sent | undefined> {
  if (outgoing.kind === "message") return client.sessions.send(outgoing.session, outgoing.body);
  if (outgoing.kind === "create") storeSession(await client.sessions.create(outgoing.body));
  else await client.answer(outgoing.id, outgoing.body);
  return undefined;
}

function settle(outgoing: Outgoing, notify: (waiter: Waiter) => void): boolean {
  drop(outgoing.id);
  const waiter = waiters.get(outgoing.id);
  waiters.delete(outgoing.id);
  if (waiter) notify(waiter);
  return waiter !== undefined;
}

function deferSession(session: string): void {
  for (const outgoing of outbox.get()) {
    if (outgoing.session !== session) continue;
    waiters.get(outgoing.id)?.resolve({ state: "stored" });
    waiters.delete(outgoing.id);
  }
  // Usually the feed notices too and triggers a retry when the daemon is back. A single failed call is retried here.
  setTimeout(() => connection.get().state === "online" && void drain(session), RETRY_MS);
}

function publishRefusal(outgoing: Outgoing, error: unknown): void {
  if (outgoing.kind === "answer" && isOwnAnswer(outgoing.body, error)) return;
  for (const listener of refusals) listener(outgoing, error);
  toastError(error);
}

/** Whether the answer had arrived before and only the acknowledgement was lost. */
function isOwnAnswer(body: InputAnswer, error: unknown): boolean {
  if (!(error instanceof GantryError) || error.code !== "already_answered") return false;
  return (error.details as { decision?: string } | undefined)?.decision === body.decision;
}

function drop(id: string): void {
  outbox.update((list) => list.filter((other) => other.id !== id));
}

function isUnreachable(error: unknown): boolean {
  return error instanceof GantryError && error.code === "unavailable";
}

function withoutSecrets(list: readonly Outgoing[]): readonly Outgoing[] {
  return list.filter((outgoing) => outgoing.kind !== "answer" || !outgoing.secret);
}

function withoutFiles(list: readonly Outgoing[]): readonly Outgoing[] {
  return withoutSecrets(list).filter((outgoing) => outgoing.kind === "answer" || !outgoing.body.attachments?.length);
}
