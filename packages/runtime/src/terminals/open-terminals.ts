import type { SessionView } from "@gantry/protocol";
import type { Catalogue } from "../agents/catalogue.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Store } from "../log/port.ts";
import { sessionFolder } from "../session/folders.ts";
import type { Sessions } from "../session/service.ts";
import { endTerminals, Terminals } from "./terminals.ts";

type Parts = {
  store: Store;
  catalogue: Pick<Catalogue, "offers">;
  sessions: Pick<Sessions, "get">;
  lanes: Lanes;
  surroundings: (view: SessionView) => Record<string, string>;
  env: Record<string, string>;
  id: () => string;
  now: () => string;
  /** An install or login command has ended: probes the agent again. */
  probeAgain: (agent: string) => void;
};

/** The entry of `store.meta` that lists the running terminals. */
const RUNNING = "terminals";

/** Creates the daemon's terminals. */
export function openTerminals(parts: Parts): Terminals {
  const { store, catalogue, sessions, lanes, surroundings, env, id, now, probeAgain } = parts;
  return new Terminals({
    env,
    id,
    now,
    session: (session) => {
      const { cwd } = sessions.get(session);
      const view = store.sessions.get(session)?.view;
      return { cwd, env: { ...store.sessions.env(session), ...(view ? surroundings(view) : {}) } };
    },
    surroundings: (cwd) => lanes.surroundings(lanes.at(cwd)?.id),
    folder: (cwd) => sessionFolder({ cwd }),
    offers: (agent) => catalogue.offers(agent),
    onOffered: probeAgain,
    remember: (running) => store.meta.set(RUNNING, JSON.stringify(running)),
  });
}

/** Ends the terminals that a killed daemon left running. */
export function endOrphanTerminals(store: Store): Promise<void> {
  return endTerminals(JSON.parse(store.meta.get(RUNNING) || "[]"));
}
