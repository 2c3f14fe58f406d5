import { type CreateSession, GantryError, type SendMessage, type Sent } from "@gantry/protocol";
import type { RecordChange, Store } from "../log/port.ts";
import type { Sender } from "../session/api.ts";
import { derivedId } from "./derived-id.ts";
import type { Due, Stored } from "./stored.ts";

export type DeliveryDeps = {
  store: Store;
  send(session: string, body: SendMessage, sender: Sender): Sent;
  create(body: CreateSession, origin: string): Promise<unknown>;
  /** Called at the places where a crash would hurt most; tests end the process there. */
  onStep?: ((where: string) => void) | undefined;
};

export type Delivered = Sent & { session: string };

/** So late that it is worth a word. */
export const LATE_MS = 60_000;

/**
 * Sends the message of a run. The ids of message and session are derived from the schedule and the run, so that
 * repeating a run after a crash is idempotent. `records` are committed with the message. Throws `GantryError`.
 */
export async function deliver(
  deps: DeliveryDeps,
  schedule: Stored,
  due: Due,
  now: number,
  records: (delivered: Delivered) => RecordChange[],
): Promise<Delivered> {
  const { id, text, attachments, delivery } = schedule;
  const [dueAt, key] = [Date.parse(due.at), `${id} ${due.key}`];
  const session = schedule.session ?? derivedId("session", dueAt, key);
  if (schedule.create) await deps.create({ id: session, ...schedule.create }, "schedule");
  deps.onStep?.("schedule:send:before");
  const message = { id: derivedId("message", dueAt, key), text, attachments, delivery };
  const late = lateness(now - dueAt);
  const sent = deps.send(session, message, {
    author: `schedule:${id}`,
    ...(late ? { notice: { kind: "schedule", text: `${id} was due at ${due.at}, ${late} ago.` } } : {}),
    records: (fate) => records({ ...fate, session }),
  });
  deps.onStep?.("schedule:send:after");
  return { ...sent, session };
}

/** Why the session can no longer be sent to. `undefined`: it can. */
export function goneBecause(store: Store, { session, after }: Pick<Stored, "session" | "after">): string | undefined {
  const view = session === undefined ? undefined : store.sessions.get(session)?.view;
  if (session !== undefined && !view) return `${session} is gone.`;
  if (view?.ended) return `${session} has ended.`;
  if (view?.archived) return `${session} is archived.`;
  if (after && !store.sessions.get(after.session)) return `${after.session}, which it waits for, is gone.`;
  return undefined;
}

/** Whether a retry may succeed: a full queue, an unavailable agent or a full disk. */
export function isPassing(error: unknown): boolean {
  return error instanceof GantryError && (error.status === 429 || error.status === 503);
}

function lateness(ms: number): string | undefined {
  if (ms < LATE_MS) return undefined;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
