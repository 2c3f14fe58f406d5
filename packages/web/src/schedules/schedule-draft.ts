import type { Attachment, Delivery, NewSchedule, PatchSchedule, Schedule, ScheduledSession } from "@gantry/protocol";
import { toTiming, toWhen, type When } from "./timing.ts";

/** A schedule in the form, without its message. */
export type ScheduleDraft = {
  when: When;
  delivery: Delivery;
  note: string;
  /** For a schedule that starts sessions: the session of each run. */
  create?: ScheduledSession;
};

export type ScheduledText = { text: string; attachments?: Attachment[] };

/** The form of a schedule. */
export function draftOfSchedule(schedule: Schedule): ScheduleDraft {
  const { delivery = "auto", note = "", create } = schedule;
  return { when: toWhen(schedule), delivery, note, ...(create ? { create } : {}) };
}

/** The request for a new schedule; `undefined` while the form is incomplete. */
export function newSchedule(
  { when, delivery, note, create }: ScheduleDraft,
  { text, attachments }: ScheduledText,
  session?: string,
): NewSchedule | undefined {
  const timing = toTiming(when);
  const target = session === undefined ? completeTemplate(create) : { session, delivery };
  if (!timing || !target || text.trim() === "") return undefined;
  return {
    ...target,
    text,
    ...(attachments ? { attachments } : {}),
    ...timing,
    ...(note.trim() ? { note: note.trim() } : {}),
  };
}

function completeTemplate(create: ScheduledSession | undefined): { create: ScheduledSession } | undefined {
  if (!create?.agent || (create.lane ?? create.cwd) === undefined) return undefined;
  const { cwd, folders, title, instructions, ...rest } = create;
  return {
    create: {
      ...rest,
      ...(rest.lane === undefined ? { cwd } : {}),
      ...(folders && folders.length > 0 ? { folders } : {}),
      ...(title?.trim() ? { title: title.trim() } : {}),
      ...(instructions?.trim() ? { instructions: instructions.trim() } : {}),
    },
  };
}

/**
 * The fields that differ from the schedule; `undefined` if the form is incomplete or nothing differs. A new time
 * restarts a schedule that has finished.
 */
export function changesOf(schedule: Schedule, draft: ScheduleDraft, message: ScheduledText): PatchSchedule | undefined {
  const timing = toTiming(draft.when);
  const { text, attachments = [] } = message;
  if (!timing || text.trim() === "") return undefined;
  const before = toTiming(toWhen(schedule));
  const isRetimed = JSON.stringify(before) !== JSON.stringify(timing);
  const changes: PatchSchedule = {
    ...(text === schedule.text ? {} : { text }),
    ...(JSON.stringify(attachments) === JSON.stringify(schedule.attachments ?? []) ? {} : { attachments }),
    ...(isRetimed ? timing : {}),
    ...(isRetimed && schedule.reason !== undefined ? { enabled: true } : {}),
    ...(draft.delivery === (schedule.delivery ?? "auto") ? {} : { delivery: draft.delivery }),
    ...(draft.note.trim() === (schedule.note ?? "") ? {} : { note: draft.note.trim() }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}
