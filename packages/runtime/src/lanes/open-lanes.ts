import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { SessionRow, Store } from "../log/port.ts";
import type { Sessions } from "../session/service.ts";
import type { TextHelper } from "../text-helper/port.ts";
import type { GitTrust } from "./git/git.ts";
import type { SessionPlace } from "./inspect/session-places.ts";
import { Lanes } from "./lanes.ts";
import type { LaneRecord } from "./port.ts";
import { suggestName } from "./suggest-name.ts";

type Parts = {
  store: Store;
  jobs: Jobs;
  config: Config;
  home: string;
  env: Record<string, string>;
  id: (kind: "lane" | "job") => string;
  /** A function, because the sessions are created after the lanes. */
  sessions: () => Pick<Sessions, "interrupt" | "close">;
  textHelper: TextHelper;
  /** Whether the project of a folder lets a model write lane names. */
  isAllowedIn: (folder: string) => boolean;
  trust: GitTrust;
};

/** Creates the daemon's lanes. */
export function openLanes({ store, sessions, config, textHelper, isAllowedIn, ...rest }: Parts): Lanes {
  const now = () => new Date().toISOString();
  const release = (session: string) =>
    releaseSession(store, sessions(), session, (config.deadlines.interruptSeconds + 5) * 1000);
  const betterName = async ({ repository }: LaneRecord, prompt: string, agent: string | undefined) =>
    config.titles.model && isAllowedIn(repository) ? suggestName(textHelper, prompt, agent) : undefined;
  return new Lanes({ ...rest, store, config, now, places: placesIn(store), release, betterName });
}

/** The folders of all sessions, cached until the next commit to the store. */
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

export function* everySession(store: Store): Generator<SessionRow> {
  for (let cursor: string | undefined; ; ) {
    const page = store.sessions.list({ limit: 500, cursor, archived: "any" });
    yield* page.sessions;
    if (!page.nextCursor) return;
    cursor = page.nextCursor;
  }
}

/** Stops the turn, waits for its end and closes the process. Queued messages are held. */
async function releaseSession(
  store: Store,
  sessions: Pick<Sessions, "interrupt" | "close">,
  id: string,
  patienceMs: number,
): Promise<void> {
  const view = () => store.sessions.get(id)?.view;
  if (!view() || view()?.ended) return;
  if (view()?.turn) sessions.interrupt(id, "pause");
  for (const deadline = Date.now() + patienceMs; view()?.turn && Date.now() < deadline; ) await sleep(50);
  if (view() && !view()?.turn) await sessions.close(id);
}
