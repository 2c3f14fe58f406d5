import type { Schedule } from "@gantry/protocol";
import { useEffect } from "react";
import { Cell, useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { firstPaint } from "../store/first-paint.ts";
import { onEvent } from "../store/sessions/feed.ts";
import { toastError } from "../store/toasts.ts";

const schedules = new Cell<readonly Schedule[]>([]);
const DEBOUNCE_MS = 500;
let loaded = false;

/** All schedules. Loaded on first use, and again after events that suggest that one has run. */
export function useSchedules(): readonly Schedule[] {
  useEffect(() => {
    if (!loaded) void firstPaint.then(loadSchedules);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      const isScheduled = event.type === "message.user" && event.data.author.startsWith("schedule:");
      if (!isScheduled && event.type !== "turn.ended") return;
      if (!isScheduled && schedules.get().length === 0) return;
      clearTimeout(timer);
      timer = setTimeout(() => void loadSchedules(), DEBOUNCE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return useCell(schedules);
}

/** Never throws; after a failure the last known schedules stay. */
export async function loadSchedules(): Promise<void> {
  loaded = true;
  try {
    schedules.set(await client.schedules.list());
  } catch {
    loaded = false;
  }
}

/** Runs a change to a schedule, shows a toast on failure, and reloads. */
export async function changeSchedule(work: () => Promise<unknown>): Promise<void> {
  await work().catch(toastError);
  await loadSchedules();
}
