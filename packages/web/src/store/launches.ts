import type { Launch } from "@gantry/protocol";
import { useEffect } from "react";
import { Cell, useCell } from "./cell.ts";
import { client } from "./connection/client.ts";
import { onEvent } from "./sessions/feed.ts";
import { useAllSessions } from "./sessions/hooks.ts";

/** All launches, newest first; `undefined` until they are loaded. */
const launches = new Cell<readonly Launch[] | undefined>(undefined);

let loading = false;
let again = false;

/** Loads the launches. A call during a load makes it load again. Never throws. */
export async function loadLaunches(): Promise<void> {
  again = true;
  if (loading) return;
  loading = true;
  while (again) {
    again = false;
    await client.launches.list().then(
      (list) => launches.set(list),
      () => undefined,
    );
  }
  loading = false;
}

/** Whether the list is known; an empty list before means nothing. */
export function useLaunchesLoaded(): boolean {
  return useCell(launches) !== undefined;
}

const NONE: readonly Launch[] = [];

/**
 * All launches. They are loaded when the page knows a session of a launch that it does not know yet, and after a landing or
 * a removal changes one. Their sessions come from the feed.
 */
export function useLaunches(): readonly Launch[] {
  const known = useCell(launches);
  const hasUnknown = useAllSessions().some(
    ({ id, origin }) => origin === "launch" && !known?.some(({ slots }) => slots.some(({ session }) => session === id)),
  );
  useEffect(() => {
    if (hasUnknown) void loadLaunches();
  }, [hasUnknown]);
  return known ?? NONE;
}

/** The launch of a session, with the session's number in it. */
export function useLaunchOf(session: string): { launch: Launch; place: number } | undefined {
  const all = useLaunches();
  const launch = all.find(({ slots }) => slots.some((slot) => slot.session === session));
  return launch && { launch, place: launch.slots.findIndex((slot) => slot.session === session) + 1 };
}

onEvent((event) => {
  if (event.type === "session.created" && event.data.origin === "launch") void loadLaunches();
});
