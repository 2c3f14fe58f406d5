import type { AgentRow, ControlValues, CreateLaunch, Mode } from "@gantry/protocol";

/** One agent of the launch form. `key` distinguishes two slots with the same agent. */
export type Slot = {
  key: number;
  agent: string;
  model?: string;
  effort?: string;
  controls?: ControlValues;
  mode: Mode;
};

/** The initial slots: two ready agents, or the same one twice if there is only one. */
export function firstSlots(rows: readonly AgentRow[], mode: Mode): Slot[] {
  const ready = rows.filter((row) => row.state === "ready" && row.auth.state !== "missing");
  const [first, second = first] = ready.length > 0 ? ready : rows.filter((row) => row.state === "ready");
  if (!first || !second) return [];
  return [first, second].map(({ id }, key) => ({ key, agent: id, mode }));
}

export function addSlot(slots: readonly Slot[]): Slot[] {
  const last = slots.at(-1);
  if (!last) return [...slots];
  return [...slots, { ...last, key: Math.max(...slots.map(({ key }) => key)) + 1 }];
}

export function changeSlot(slots: readonly Slot[], key: number, patch: Partial<Slot>): Slot[] {
  return slots.map((slot) => (slot.key === key ? { ...slot, ...patch } : slot));
}

/** The slots in the format of the request. */
export function slotsOf(slots: readonly Slot[]): CreateLaunch["slots"] {
  return slots.map(({ agent, model, effort, controls, mode }) => ({
    agent,
    mode,
    ...(model ? { model } : {}),
    ...(effort ? { effort } : {}),
    ...(controls ? { controls } : {}),
  }));
}
