import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Draft, draft, type Envelope, eventTable } from "@gantry/protocol";
import { openStore } from "../../../packages/runtime/src/log/sqlite/open.ts";

const BATCH = 1000;

type Written = { id: string; title: string; cwd: string };

/**
 * Writes a session with these events to the store of a home folder while no daemon runs on it. For logs that no agent
 * could produce: hostile texts, and logs that would take an hour to record.
 */
export function writeSession(home: string, { id, title, cwd }: Written, drafts: Iterable<Draft>): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const store = openStore(join(home, "gantry.db"));
  const created = draft("session.created", { agent: "scripted", mode: "ask", cwd, title, origin: "test" });
  let seq = 0;
  let events: Envelope[] = [];
  const commit = () => store.commit({ session: id, events });
  try {
    for (const one of [created, ...drafts]) {
      seq++;
      const at = new Date(Date.UTC(2026, 0, 1) + seq * 100).toISOString();
      const data = eventTable[one.type].parse(one.data);
      events.push({ v: 1, session: id, seq, at, ...one, data } as Envelope);
      if (events.length < BATCH) continue;
      commit();
      events = [];
    }
    if (events.length > 0) commit();
  } finally {
    store.close();
  }
}
