import { isAbsolute, relative } from "node:path";
import type { Records, Store } from "../log/port.ts";
import type { LaneRecord } from "./port.ts";

/** The stored lanes, and the callers that wait for a change of one. */
export class LaneRecords {
  readonly #records: Records<LaneRecord>;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(store: Store) {
    this.#records = store.records("lane");
  }

  get(id: string): LaneRecord | undefined {
    return this.#records.get(id);
  }

  list(): LaneRecord[] {
    return this.#records.list();
  }

  ofRepository(commonDir: string): LaneRecord[] {
    return this.list().filter((record) => record.commonDir === commonDir);
  }

  /** The lane that a folder lies in, the innermost one. */
  at(path: string): LaneRecord | undefined {
    const around = this.list().filter((record) => isInside(path, record.path));
    return around.sort((a, b) => b.path.length - a.path.length)[0];
  }

  put(record: LaneRecord): void {
    this.#records.put(record.id, record);
    this.#notify(record.id);
  }

  /** Does nothing when the record no longer exists. */
  change(id: string, change: Partial<LaneRecord>): void {
    const record = this.get(id);
    if (record) this.put({ ...record, ...change });
  }

  delete(id: string): void {
    this.#records.delete(id);
    this.#notify(id);
  }

  /** Resolves as soon as the record satisfies the condition, possibly at once. */
  async until(id: string, isReached: (record: LaneRecord | undefined) => boolean): Promise<LaneRecord | undefined> {
    for (;;) {
      const record = this.get(id);
      if (isReached(record)) return record;
      await new Promise<void>((resolve) => {
        const waiting = this.#waiting.get(id) ?? new Set();
        this.#waiting.set(id, waiting.add(resolve));
      });
    }
  }

  #notify(id: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    for (const resolve of waiting ?? []) resolve();
  }
}

export function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === "" || (!inner.startsWith("../") && inner !== ".." && !isAbsolute(inner));
}
