import type { Launch, LaunchSlot } from "../launches/schema.ts";
import { sessionGroups } from "../status/groups.ts";
import type { SessionStatus } from "../status/schema.ts";

/** The status of a slot: that of its session, else what its preparation came to. */
export function slotStatus(slot: LaunchSlot, launch: Pick<Launch, "updatedAt">): SessionStatus {
  const since = launch.updatedAt;
  if (slot.state === "cleaned") return { group: "done", reason: "removed", detail: slot.error?.message, since };
  if (slot.error) return { group: "needs_you", reason: "failed", detail: slot.error.message, failed: true, since };
  if (slot.status) return slot.status;
  if (slot.state === "cancelled") return { group: "done", reason: "cancelled", since };
  return { group: "working", reason: slot.state === "creating" ? "creating lane" : "preparing", since };
}

/** The status of a launch: its most urgent slot decides the group, and the reason counts the slots. */
export function launchStatus(launch: Launch, slots: readonly SessionStatus[]): SessionStatus {
  const since = launch.createdAt;
  const { state, error } = launch;
  if (state === "failed")
    return { group: "needs_you", reason: "failed", detail: error?.message, failed: true, since: launch.updatedAt };
  if (state === "cancelled" && slots.every(({ group }) => group === "done"))
    return { group: "done", reason: "cancelled", since };
  const group = sessionGroups.find((one) => slots.some((slot) => slot.group === one)) ?? "working";
  const count = slots.filter((slot) => slot.group === group).length;
  const first = slots.find((slot) => slot.group === group);
  const { reason, ...rest } = first ?? { group, since };
  const counted = count === slots.length && group === "done" ? undefined : `${count} of ${slots.length}`;
  const parts = [counted, group === "done" ? undefined : reason].filter(Boolean);
  return { ...rest, group, ...(parts.length > 0 ? { reason: parts.join(", ") } : {}) };
}
