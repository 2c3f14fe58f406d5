import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { draft, type Envelope, type EventType } from "@gantry/protocol";
import { openStore } from "../packages/runtime/src/log/sqlite/open.ts";

const BATCH = 1_000;
const PER_TURN = 50;

export const SESSION = "ses_bench";

/** Writes one session of `count` events, in turns of fifty, to the store of a home folder. */
export function makeHistory(home: string, count: number): string {
  fillStore(home, [SESSION], count);
  return SESSION;
}

/** Writes that many sessions of one turn. */
export function makeSessions(home: string, count: number): void {
  const names = Array.from({ length: count }, (_, index) => `${SESSION}${index}`);
  fillStore(home, names, PER_TURN + 1);
}

function fillStore(home: string, sessions: readonly string[], count: number): void {
  mkdirSync(join(home, "gantry"), { recursive: true, mode: 0o700 });
  const store = openStore(databaseOf(home));
  try {
    for (const session of sessions) {
      for (let from = 1; from <= count; from += BATCH) {
        const size = Math.min(BATCH, count - from + 1);
        const events = Array.from({ length: size }, (_, index) => eventAt(home, session, from + index));
        store.commit({ session, events });
      }
    }
  } finally {
    store.close();
  }
}

export function databaseOf(home: string): string {
  return join(home, "gantry", "gantry.db");
}

function eventAt(cwd: string, session: string, seq: number): Envelope {
  const at = new Date(Date.UTC(2026, 0, 1) + seq * 100).toISOString();
  const { type, data, turn } = draftAt(cwd, seq);
  return { v: 1, session, seq, at, turn, type, data } as Envelope;
}

function draftAt(cwd: string, seq: number) {
  if (seq === 1) {
    const data = { agent: "scripted", mode: "ask", cwd, title: "A long session", origin: "bench" };
    return draft("session.created" as EventType, data as never);
  }
  const place = (seq - 2) % PER_TURN;
  const turn = `trn_${Math.floor((seq - 2) / PER_TURN)}`;
  if (place === 0) return draft("turn.started", { trigger: "user", messages: [] }, { turn });
  if (place === PER_TURN - 1) return draft("turn.ended", { outcome: "completed" }, { turn });
  const item = `itm_${place % 2 === 1 ? seq : seq - 1}`;
  if (place % 10 === 9)
    return draft("message.done", { item, text: `Step ${seq}: looked at it and continued.` }, { turn });
  if (place % 2 === 1) {
    const input = { command: `grep -rn needle${seq} src` };
    return draft("tool.started", { item, name: "bash", kind: "execute", title: input.command, input }, { turn });
  }
  if (place % 10 === 0)
    return draft("reasoning.done", { item, text: `Thought ${seq} about what to do next.` }, { turn });
  const output = `src/a${seq}.ts:12: needle\nsrc/b${seq}.ts:7: needle\n`;
  return draft("tool.ended", { item, status: "ok", output, exitCode: 0, durationMs: 12 }, { turn });
}
