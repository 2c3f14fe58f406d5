import type { RecordChange, Records, Store } from "../log/port.ts";

/** A turn that has begun and whose end is not kept yet. */
export type OpenTurn = {
  turn: string;
  session: string;
  cwd: string;
  root: string;
  /** The checkpoint of its begin; absent where it was late. */
  before?: string;
  /** Sessions that worked in the same work tree meanwhile. */
  shared: string[];
};

const KIND = "open-turn";

/** Turns whose end a daemon that dies leaves to the next. */
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

  /** What goes with the event that tells of a begin: the turn, and that those who work there have company. */
  begun(turn: Omit<OpenTurn, "shared">): RecordChange[] {
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

  ended(turn: string): RecordChange {
    return { kind: KIND, id: turn };
  }

  forget(turn: string): void {
    this.#records.delete(turn);
  }
}
