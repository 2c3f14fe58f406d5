import type { StoredEvent } from "../log/port.ts";
import type { Publisher } from "../session/api.ts";

/** What the daemon counts since its start. It is on the event path: no query, and JSON is parsed only for the end of a turn. */
export class Counters implements Partial<Publisher> {
  events = 0;
  inputs = 0;
  readonly turns = new Map<string, number>();

  committed(_session: string, rows: readonly StoredEvent[]): void {
    this.events += rows.length;
    for (const { type, json } of rows) {
      if (type === "input.requested") this.inputs += 1;
      if (type !== "turn.ended") continue;
      const { outcome } = (JSON.parse(json) as { data: { outcome: string } }).data;
      this.turns.set(outcome, (this.turns.get(outcome) ?? 0) + 1);
    }
  }
}
