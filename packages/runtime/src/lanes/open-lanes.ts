import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { SessionRow, Store } from "../log/port.ts";
import type { Scribe } from "../scribe/port.ts";
import type { Sessions } from "../session/service.ts";
import { betterName } from "./better-name.ts";
import { Lanes } from "./lanes.ts";
import type { SessionPlace } from "./seeing/places.ts";

type Parts = {
  store: Store;
  jobs: Jobs;
  config: Config;
  home: string;
  env: Record<string, string>;
  id: (kind: "lane" | "job") => string;
  /** They are made after the lanes, and know them. */
  sessions: () => Pick<Sessions, "interrupt" | "close">;
  scribe: Scribe;
};

/** The lanes of a daemon. */
export function openLanes({ store, sessions, config, scribe, ...rest }: Parts): Lanes {
  const now = () => new Date().toISOString();
  const release = (session: string) =>
    letGo(store, sessions(), session, (config.deadlines.interruptSeconds + 5) * 1000);
  const named = async (prompt: string) => (config.titles.model ? betterName(scribe, prompt) : undefined);
  return new Lanes({ ...rest, store, config, now, places: placesIn(store), release, betterName: named });
}

/** Where all sessions work; read again only when something was committed since. */
function placesIn(store: Store): () => SessionPlace[] {
  let known: { at: number; places: SessionPlace[] } | undefined;
  return () => {
    const at = store.lastId();
    if (known?.at !== at) known = { at, places: [...everySession(store)].map(placeOf) };
    return known.places;
  };
}

function placeOf({ id, cwd, view, state, updatedAt }: SessionRow): SessionPlace {
  const busy = state === "running" || state === "waiting";
  return { id, cwd, busy, updatedAt, ...(view.lane === undefined ? {} : { lane: view.lane }) };
}

function* everySession(store: Store): Generator<SessionRow> {
  for (let cursor: string | undefined; ; ) {
    const page = store.sessions.list({ limit: 500, cursor, archived: "any" });
    yield* page.sessions;
    if (!page.nextCursor) return;
    cursor = page.nextCursor;
  }
}

/** Interrupts a turn, waits for its end, and lets the process go. What waits in the queue stays there. */
async function letGo(
  store: Store,
  sessions: Pick<Sessions, "interrupt" | "close">,
  id: string,
  patienceMs: number,
): Promise<void> {
  const view = () => store.sessions.get(id)?.view;
  if (!view() || view()?.ended) return;
  if (view()?.turn) sessions.interrupt(id, "keep");
  for (const deadline = Date.now() + patienceMs; view()?.turn && Date.now() < deadline; ) await sleep(50);
  if (view() && !view()?.turn) await sessions.close(id);
}
