import type { Schedule } from "@gantry/protocol";
import { useEffect } from "react";
import { Cell, useCell } from "../store/cell.ts";
import { client } from "../store/client.ts";
import { onEvent } from "../store/feed.ts";
import { toastError } from "../store/toasts.ts";

const schedules = new Cell<readonly Schedule[]>([]);
const CALM_MS = 500;
let asked = false;

/** Every schedule. Asked for when someone looks, and again when a session's turn began or ended: one may have run. */
export function useSchedules(): readonly Schedule[] {
  useEffect(() => {
    if (!asked) void loadSchedules();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      const told = event.type === "message.user" && event.data.author.startsWith("schedule:");
      if (!told && event.type !== "turn.ended") return;
      if (!told && schedules.get().length === 0) return;
      clearTimeout(timer);
      timer = setTimeout(() => void loadSchedules(), CALM_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return useCell(schedules);
}

/** Never throws: what is known stays. */
export async function loadSchedules(): Promise<void> {
  asked = true;
  try {
    schedules.set(await client.schedules.list());
  } catch {
    asked = false;
  }
}

/** Does something with a schedule, tells what went wrong, and looks again. */
export async function withSchedules(work: () => Promise<unknown>): Promise<void> {
  await work().catch(toastError);
  await loadSchedules();
}
