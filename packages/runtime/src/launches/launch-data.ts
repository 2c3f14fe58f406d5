import {
  type Attachment,
  type Launch,
  type LaunchState,
  type Session,
  type SlotState,
  sessionStatus,
} from "@gantry/protocol";
import type { Job } from "../jobs/job.ts";
import type { LaneRecord } from "../lanes/port.ts";
import type { Slot } from "./slots.ts";

export const LAUNCH = "launch";

/** The request of a launch, and the results that its steps hand on. */
export type LaunchData = {
  id: string;
  name: string;
  prompt: string;
  /** As given, with real paths. */
  attachments: Attachment[];
  cwd: string;
  /** The primary work tree, and the one that contains `cwd`. */
  repository: string;
  root: string;
  base: { ref?: string; commit: string };
  /** Further folders of all sessions. */
  folders?: string[];
  slots: Slot[];
  /** Hash of the request. */
  request: string;
};

/** The sources of a launch's state. It is derived and not stored. */
export type Sight = {
  lane(id: string): LaneRecord | undefined;
  session(id: string): Session | undefined;
  wasSent(session: string, message: string): boolean;
  cancelledAt(launch: string): string | undefined;
};

export function presentLaunch(job: Job<LaunchData>, steps: readonly { name: string }[], sight: Sight): Launch {
  const { id, name, prompt, cwd, repository, base, folders } = job.data;
  const cancelledAt = sight.cancelledAt(id);
  const slots = job.data.slots.map(({ cleaned, ...slot }) => {
    const session = sight.session(slot.session);
    const outcome = session?.lastTurn?.outcome;
    const state = slotState({ ...slot, cleaned }, sight, cancelledAt !== undefined);
    const status = session && sight.wasSent(slot.session, slot.message) ? sessionStatus(session) : undefined;
    return { ...slot, state, ...(status ? { status } : {}), ...(outcome ? { outcome } : {}) };
  });
  const { error } = job;
  const state = launchState(
    job,
    steps,
    slots.map((slot) => slot.state),
    cancelledAt,
  );
  return {
    id,
    state,
    prompt,
    name,
    cwd,
    repository,
    base,
    ...(folders ? { folders } : {}),
    slots,
    ...(error && state === "failed"
      ? { error: { code: error.code, message: error.message, remedy: error.remedy } }
      : {}),
    ...(cancelledAt ? { cancelledAt } : {}),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}

function launchState(
  { state, at }: Job<LaunchData>,
  steps: readonly { name: string }[],
  slots: readonly SlotState[],
  cancelledAt: string | undefined,
): LaunchState {
  if (cancelledAt) return "cancelled";
  if (state === "failed" || state === "undoing") return "failed";
  if (state === "running") {
    const step = steps[at]?.name ?? "";
    if (step === "attachments") return "pending";
    return step === "lanes" || step === "setup" ? "lanes" : "sessions";
  }
  if (slots.some((slot) => slot === "running" || slot === "waiting")) return "running";
  return slots.some((slot) => slot === "sent") ? "sent" : "settled";
}

function slotState(slot: Slot, sight: Sight, cancelled: boolean): SlotState {
  if (slot.error) return "failed";
  if (slot.cleaned) return "cleaned";
  const session = sight.session(slot.session);
  if (session && sight.wasSent(slot.session, slot.message)) return cancelled ? "cancelled" : workState(session);
  if (session) return "ready";
  const lane = sight.lane(slot.lane);
  if (!lane) return "pending";
  return lane.state === "ready" && lane.setup.state !== "running" ? "ready" : "creating";
}

function workState({ state, lastTurn }: Session): SlotState {
  if (state === "running") return "running";
  if (state === "waiting" || state === "limited") return "waiting";
  if (!lastTurn) return state === "ended" ? "failed" : "sent";
  return lastTurn.outcome === "failed" ? "failed" : "done";
}
