import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type CreateSession, GantryError, type SendMessage, type Session } from "@gantry/protocol";
import type { Plan } from "../jobs/job.ts";
import { Semaphore } from "../lanes/git/semaphore.ts";
import type { LaneRoom, LaneService } from "../lanes/port.ts";
import { attachmentsFor, keepAttachments, uploadsOf } from "./attachments.ts";
import { LAUNCH, type LaunchData, type Sight } from "./launch-data.ts";
import type { Slot } from "./slots.ts";

/** The sessions as a launch uses them. */
export interface LaunchSessions {
  create(body: CreateSession, origin: string): Promise<{ session: Session }>;
  send(id: string, body: SendMessage): unknown;
  delete(id: string): Promise<void>;
}

export type LaunchDeps = {
  home: string;
  lanes: Pick<LaneService, "create" | "remove">;
  room: Pick<LaneRoom, "record" | "waitForSettled" | "waitForPlaced">;
  sessions: LaunchSessions;
  sight: Sight;
  log: (line: string) => void;
};

/** Lanes that are created at once. */
const AT_ONCE = 4;
/** How often a long set-up checks for cancellation. */
const LOOK_MS = 200;

type Found = Promise<Partial<LaunchData> | undefined>;

/**
 * The steps of a launch. Every step is idempotent: its ids derive from the launch's id. A failure before the first
 * message rolls everything back; sent messages stay.
 */
export function launchPlan(deps: LaunchDeps): Plan<LaunchData> {
  const step = (name: string, run: (deps: LaunchDeps, data: LaunchData) => Found) => ({
    name,
    run: (data: LaunchData) => {
      refuseCancelled(deps, data);
      return run(deps, data);
    },
  });
  return {
    kind: LAUNCH,
    steps: [
      step("attachments", async ({ home }, { id, attachments }) => {
        keepAttachments(uploadsOf(home, id), attachments);
        return undefined;
      }),
      step("lanes", makeLanes),
      step("setup", waitForSetup),
      step("sessions", makeSessions),
      step("send", sendPrompts),
    ],
    undo: (data) => takeBack(deps, data),
  };
}

async function makeLanes(deps: LaunchDeps, data: LaunchData): Found {
  await forEachSlot(data, async (slot) => {
    refuseCancelled(deps, data);
    await deps.lanes.create(laneOf(data, slot));
  });
  return undefined;
}

/** Waits for the set-up, because an agent would find an incomplete project. The lane reports a failed set-up. */
async function waitForSetup(deps: LaunchDeps, data: LaunchData): Found {
  const all = Promise.all(data.slots.map(({ lane }) => deps.room.waitForSettled(lane))).then(() => true);
  while (!(await Promise.race([all, sleep(LOOK_MS, false, { ref: false })]))) refuseCancelled(deps, data);
  return undefined;
}

async function makeSessions(deps: LaunchDeps, data: LaunchData): Found {
  for (const slot of data.slots) {
    refuseCancelled(deps, data);
    const { agent, model, mode, effort, controls, session: id, lane } = slot;
    await deps.sessions.create({ id, agent, model, mode, effort, controls, lane, folders: data.folders }, LAUNCH);
  }
  return undefined;
}

/** After a message was sent, a failed slot does not end the others. */
async function sendPrompts(deps: LaunchDeps, data: LaunchData): Found {
  const slots: Slot[] = [];
  let sent = 0;
  for (const slot of data.slots) {
    try {
      refuseCancelled(deps, data);
      send(deps, data, slot);
      sent++;
      slots.push(slot);
    } catch (error) {
      if (sent === 0 && slots.length === data.slots.length - 1) throw error;
      slots.push({ ...slot, error: errorOf(error) });
    }
  }
  const failed = slots.filter((slot) => slot.error);
  if (sent === 0 && failed[0]?.error) throw asError(failed[0].error);
  return { slots: await Promise.all(slots.map((slot) => (slot.error ? clean(deps, slot) : slot))) };
}

function send({ sessions, sight, room, home }: LaunchDeps, data: LaunchData, slot: Slot): void {
  const { session, message: id, lane } = slot;
  if (sight.wasSent(session, id)) return;
  const path = room.record(lane)?.path ?? data.root;
  const where = { folder: uploadsOf(home, data.id), root: data.root, lane: path };
  const attachments = attachmentsFor(data.attachments, where);
  sessions.send(session, { id, text: data.prompt, ...(attachments.length > 0 ? { attachments } : {}) });
}

/** Removes lanes and sessions that received no message. The others stay. */
async function takeBack(deps: LaunchDeps, data: LaunchData): Found {
  const slots: Slot[] = [];
  for (const slot of data.slots) {
    const sent = deps.sight.session(slot.session) && deps.sight.wasSent(slot.session, slot.message);
    slots.push(sent ? slot : await clean(deps, slot));
  }
  const hasWork = slots.some((slot) => !slot.cleaned);
  if (!hasWork) rmSync(uploadsOf(deps.home, data.id), { recursive: true, force: true });
  return { slots };
}

async function clean(deps: LaunchDeps, slot: Slot): Promise<Slot> {
  const { sessions, lanes, room, sight } = deps;
  if (sight.session(slot.session)) await sessions.delete(slot.session);
  await room.waitForPlaced(slot.lane);
  if (room.record(slot.lane)) {
    await lanes.remove(slot.lane, { force: true }).catch((error) => {
      if ((error as GantryError).code !== "no_such_lane") throw error;
    });
  }
  return { ...slot, cleaned: true };
}

function laneOf({ repository, base }: LaunchData, { lane: id, name }: Slot) {
  return { id, cwd: repository, name, base: base.ref ?? base.commit, commit: base.commit };
}

/** Runs all with limited concurrency, and throws the first failure when all have ended. */
async function forEachSlot(data: LaunchData, work: (slot: Slot) => Promise<void>): Promise<void> {
  const gate = new Semaphore(AT_ONCE);
  const ends = await Promise.allSettled(data.slots.map((slot) => gate.run(() => work(slot))));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

function refuseCancelled({ sight }: LaunchDeps, { id }: LaunchData): void {
  if (sight.cancelledAt(id)) throw new GantryError("conflict", `${id} was cancelled.`);
}

function errorOf(error: unknown): NonNullable<Slot["error"]> {
  const { code = "internal", message, remedy } = error as GantryError;
  return { code, message, ...(remedy ? { remedy } : {}) };
}

function asError({ code, message, remedy }: NonNullable<Slot["error"]>): GantryError {
  return new GantryError(code as GantryError["code"], message, { remedy });
}
