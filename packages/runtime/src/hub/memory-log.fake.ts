import type { StoredEvent } from "../log/port.ts";
import type { LogSource } from "./source.ts";

/** A log in memory for tests, with the reads that the real store has. */
export class MemoryLog implements LogSource {
  rows: StoredEvent[] = [];
  reads = 0;
  #id = 0;

  /** Appends `count` events to a session and returns their rows. */
  append(session: string, count = 1, text = ""): StoredEvent[] {
    let seq = this.lastSeq(session);
    const rows = Array.from({ length: count }, () => {
      seq++;
      this.#id++;
      const data = { kind: "test", severity: "info", text: text || `${session} ${seq}` };
      const at = "2026-01-01T00:00:00.000Z";
      const json = JSON.stringify({ v: 1, session, seq, at, type: "notice", data });
      return { id: this.#id, session, seq, type: "notice" as const, json };
    });
    this.rows.push(...rows);
    return rows;
  }

  /** Removes rows, as a pruned or damaged log would lack them. */
  drop(session: string, from = 1, to = Number.POSITIVE_INFINITY): void {
    this.rows = this.rows.filter((row) => row.session !== session || row.seq < from || row.seq > to);
  }

  readEvents(session: string, after: number, limit: number): StoredEvent[] {
    this.reads++;
    return this.rows.filter((row) => row.session === session && row.seq > after).slice(0, limit);
  }

  tailEvents(session: string, count: number): StoredEvent[] {
    return this.rows.filter((row) => row.session === session).slice(-count);
  }

  readAll(afterId: number, limit: number, sessions?: readonly string[]): StoredEvent[] {
    this.reads++;
    return this.rows.filter((row) => row.id > afterId && (sessions?.includes(row.session) ?? true)).slice(0, limit);
  }

  lastSeq(session: string): number {
    return this.rows.findLast((row) => row.session === session)?.seq ?? 0;
  }

  lastId(): number {
    return this.#id;
  }
}
