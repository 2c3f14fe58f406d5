import {
  type CreateSession,
  GantryError,
  type InputAnswer,
  type InputRequest,
  makeIds,
  type SendMessage,
  type Sent,
} from "@gantry/protocol";
import { flushCells } from "./cell.ts";
import { client } from "./client.ts";
import { connection } from "./connection.ts";
import { keptCell } from "./kept.ts";
import { takeSession } from "./sessions.ts";
import { toastError } from "./toasts.ts";

/** Something that a person did and that the daemon has not acknowledged yet. `id` makes sending it twice harmless. */
export type Outgoing =
  | { kind: "message"; id: string; session: string; body: SendMessage & { id: string } }
  | { kind: "answer"; id: string; session: string; body: InputAnswer; secret: boolean }
  | { kind: "create"; id: string; session: string; body: CreateSession & { id: string } };

/** `kept`: it waits for the daemon. A message that was sent tells what became of it. */
export type Outcome = { state: "sent"; sent?: Sent } | { state: "kept" };

type Waiter = { resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
type Refusal = (outgoing: Outgoing, error: unknown) => void;

/** Kept over a reload of the page, but for secrets, and for files that do not fit: those wait in memory alone. */
export const outbox = keptCell<readonly Outgoing[]>("outbox", [], [withoutSecrets, withoutFiles]);

export const newId = makeIds(Date.now, Math.random);

const RETRY_MS = 2000;
const waiters = new Map<string, Waiter>();
/** Sessions that are being sent to; what belongs to one session goes in order, one at a time. */
const sending = new Set<string>();
const refusals = new Set<Refusal>();

/**
 * Sends a message, now or as soon as the daemon answers. Rejects when the daemon refuses it: then it is not kept.
 */
export function sendMessage(session: string, message: SendMessage): Promise<Outcome> {
  const id = message.id ?? newId("message");
  return put({ kind: "message", id, session, body: { ...message, id } });
}

/** Creates a session, now or as soon as the daemon answers. The page knows its id at once. */
export function createSession(body: CreateSession & { id: string }): Promise<Outcome> {
  return put({ kind: "create", id: body.id, session: body.id, body });
}

/** Answers what an agent waits for, now or as soon as the daemon answers. Rejects when someone else was faster. */
export function answerInput(input: InputRequest, body: InputAnswer): Promise<Outcome> {
  const secret = input.questions?.some((question) => question.secret) ?? false;
  return put({ kind: "answer", id: input.id, session: input.session, body, secret });
}

/** Takes back what still waits. Whatever is on its way already stays. */
export function discard(id: string): void {
  drop(id);
  flushCells();
}

/** Hears of what was kept and then refused, when nobody waits for the answer any more. */
export function onRefused(listener: Refusal): () => void {
  refusals.add(listener);
  return () => refusals.delete(listener);
}

/** Sends what waits, in order, whenever the daemon is there again. Called once. */
export function tendOutbox(): void {
  const tend = () => {
    if (connection.get().state !== "online") return;
    for (const session of new Set(outbox.get().map((outgoing) => outgoing.session))) void drain(session);
  };
  connection.subscribe(tend);
  tend();
}

function put(outgoing: Outgoing): Promise<Outcome> {
  outbox.update((list) => [...list.filter((other) => other.id !== outgoing.id), outgoing]);
  flushCells();
  if (connection.get().state === "offline") return Promise.resolve({ state: "kept" });
  return new Promise((resolve, reject) => {
    waiters.set(outgoing.id, { resolve, reject });
    void drain(outgoing.session);
  });
}

async function drain(session: string): Promise<void> {
  if (sending.has(session)) return;
  sending.add(session);
  let away = false;
  while (!away) {
    const next = outbox.get().find((outgoing) => outgoing.session === session);
    if (!next) break;
    away = !(await deliver(next));
  }
  // First of all: whoever is told may send again at once.
  sending.delete(session);
  if (away) keepWaiting(session);
}

/** False when the daemon is away: then everything of the session waits. Never throws. */
async function deliver(outgoing: Outgoing): Promise<boolean> {
  try {
    const sent = await post(outgoing);
    settle(outgoing, (waiter) => waiter.resolve({ state: "sent", sent }));
  } catch (error) {
    if (isAway(error)) return false;
    const waited = settle(outgoing, (waiter) => waiter.reject(error));
    if (!waited) tellRefused(outgoing, error);
  }
  return true;
}

async function post(outgoing: Outgoing): Promise<Sent | undefined> {
  if (outgoing.kind === "message") return client.sessions.send(outgoing.session, outgoing.body);
  if (outgoing.kind === "create") takeSession(await client.sessions.create(outgoing.body));
  else await client.answer(outgoing.id, outgoing.body);
  return undefined;
}

function settle(outgoing: Outgoing, tell: (waiter: Waiter) => void): boolean {
  drop(outgoing.id);
  const waiter = waiters.get(outgoing.id);
  waiters.delete(outgoing.id);
  if (waiter) tell(waiter);
  return waiter !== undefined;
}

function keepWaiting(session: string): void {
  for (const outgoing of outbox.get()) {
    if (outgoing.session !== session) continue;
    waiters.get(outgoing.id)?.resolve({ state: "kept" });
    waiters.delete(outgoing.id);
  }
  // Usually the feed notices as well and tells when the daemon is back; a single call that failed is tried again.
  setTimeout(() => connection.get().state === "online" && void drain(session), RETRY_MS);
}

function tellRefused(outgoing: Outgoing, error: unknown): void {
  if (outgoing.kind === "answer" && isItsOwnAnswer(outgoing.body, error)) return;
  for (const listener of refusals) listener(outgoing, error);
  toastError(error);
}

/** It had arrived the first time; only the acknowledgement was lost. */
function isItsOwnAnswer(body: InputAnswer, error: unknown): boolean {
  if (!(error instanceof GantryError) || error.code !== "already_answered") return false;
  return (error.details as { decision?: string } | undefined)?.decision === body.decision;
}

function drop(id: string): void {
  outbox.update((list) => list.filter((other) => other.id !== id));
}

function isAway(error: unknown): boolean {
  return error instanceof GantryError && error.code === "unavailable";
}

function withoutSecrets(list: readonly Outgoing[]): readonly Outgoing[] {
  return list.filter((outgoing) => outgoing.kind !== "answer" || !outgoing.secret);
}

function withoutFiles(list: readonly Outgoing[]): readonly Outgoing[] {
  return withoutSecrets(list).filter((outgoing) => outgoing.kind === "answer" || !outgoing.body.attachments?.length);
}
