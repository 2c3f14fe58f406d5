import type { RecordChange, Records, Store } from "../log/port.ts";

/** A started turn whose final checkpoint is not stored yet. */
export type OpenTurn = {
  turn: string;
  session: string;
  cwd: string;
  root: string;
  /** The checkpoint of its start; absent if it was late. */
  before?: string;
  /** Sessions that worked in the same work tree at the same time. */
  shared: string[];
};

const KIND = "open-turn";

/** Turns whose final checkpoint the next daemon takes after a crash. */
export class OpenTurns {
  readonly #records: Records<OpenTurn>;

  constructor(store: Store) {
    this.#records = store.records(KIND);
  }

  get(turn: string): OpenTurn | undefined {
    return this.#records.get(turn);
  }

  list(): OpenTurn[] {
    return this.#records.list();
  }

  /** The records to commit with the event of a start: the turn, and its session in the `shared` list of concurrent turns. */
  recordBegin(turn: Omit<OpenTurn, "shared">): RecordChange[] {
    const others = this.list().filter((other) => other.root === turn.root && other.session !== turn.session);
    const shared = [...new Set(others.map((other) => other.session))];
    return [
      { kind: KIND, id: turn.turn, value: { ...turn, shared } },
      ...others.map((other) => {
        const value = { ...other, shared: [...new Set([...other.shared, turn.session])] };
        return { kind: KIND, id: other.turn, value };
      }),
    ];
  }

  recordEnd(turn: string): RecordChange {
    return { kind: KIND, id: turn };
  }

  forget(turn: string): void {
    this.#records.delete(turn);
  }
}
