import { GantryError } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import { sessionFolder } from "../session/folders.ts";
import { checkAttachments } from "../session/requests.ts";
import type { Sessions } from "../session/service.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Schedules } from "./schedules.ts";

type Parts = {
  store: Store;
  sessions: Sessions;
  config: Config;
  home: string;
  agent: (id: string) => Agent | undefined;
  id: () => string;
  log: (line: string) => void;
  clock?: Clock;
  onStep?: ((where: string) => void) | undefined;
};

/** The schedules of a daemon; they run once `start` is called. */
export function openSchedules({ sessions, home, agent, clock = systemClock, ...rest }: Parts): Schedules {
  return new Schedules({
    ...rest,
    clock,
    send: (session, body, sender) => sessions.send(session, body, sender),
    create: (body, origin) => sessions.create(body, origin),
    note: (session, notice) => sessions.note(session, notice),
    check: ({ session, create, text, attachments }) => {
      if (create && !agent(create.agent)) throw new GantryError("no_such_agent", `There is no agent ${create.agent}.`);
      // The lane is resolved at run time, because it may be created, moved or removed until then.
      if (create?.lane !== undefined) return;
      const cwd = session === undefined ? sessionFolder(create ?? {}) : requireFolder(sessions, session);
      if (create?.folders) sessions.requireFolders(create.agent, create.folders, cwd);
      checkAttachments({ text, attachments }, cwd, home);
    },
  });
}

/** The folder of a session that can be sent to. */
function requireFolder(sessions: Sessions, id: string): string {
  const { cwd, state } = sessions.get(id);
  if (state !== "ended") return cwd;
  throw new GantryError("session_ended", `${id} has ended.`);
}
