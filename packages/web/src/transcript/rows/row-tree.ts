import type { Envelope } from "@gantry/protocol";
import type { Row, RowKind } from "./row.ts";

/** What a turn has told of itself so far; its footer is made of it when it ends. */
export type TurnSoFar = {
  started?: Envelope<"turn.started">;
  /** What told of changed files: `diff.updated`, or the ends of tool calls. */
  changes: Envelope<"diff.updated" | "tool.ended">[];
  /** Failures that have a row of their own. */
  errors: string[];
  /** The row of its plan. */
  plan?: string;
};

/** Rows by key, and the keys of each row's children in their order; those of no parent are under the empty key. */
export class RowTree {
  readonly #rows = new Map<string, Row>();
  readonly #children = new Map<string, string[]>([["", []]]);
  readonly #latest = new Map<RowKind, string>();
  /** Which row an item, a subagent or another parent is shown by. */
  readonly #shownBy = new Map<string, string>();
  readonly turns = new Map<string, TurnSoFar>();
  /** Messages that wait for the running turn to end: they stand after everything else. */
  readonly queued: string[] = [];

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** The row of this kind and key; `undefined` when there is none or it has become another. */
  find<K extends RowKind>(kind: K, key: string): Extract<Row, { kind: K }> | undefined {
    const row = this.#rows.get(key);
    return row?.kind === kind ? (row as Extract<Row, { kind: K }>) : undefined;
  }

  /** The row of a kind that was appended last. */
  latest<K extends RowKind>(kind: K): Extract<Row, { kind: K }> | undefined {
    return this.find(kind, this.#latest.get(kind) ?? "");
  }

  children(key = ""): readonly string[] {
    return this.#children.get(key) ?? [];
  }

  /** Appends a row, under the row that `parent` (an item, a subagent) is shown by. */
  append(row: Row, parent?: string): void {
    // It was stood in for before it began, and stays where it is.
    if (this.#rows.has(row.key)) return this.replace(row);
    this.#rows.set(row.key, row);
    this.#latest.set(row.kind, row.key);
    const under = parent === undefined ? "" : this.#parentKey(parent);
    const siblings = this.#children.get(under);
    if (siblings) siblings.push(row.key);
    else this.#children.set(under, [row.key]);
  }

  /** Puts a row in the place of the one with its key. */
  replace(row: Row): void {
    this.#rows.set(row.key, row);
  }

  /** Children of `id` are shown under the row `key` from now on. */
  showBy(id: string, key: string): void {
    this.#shownBy.set(id, key);
  }

  shownBy(id: string): string | undefined {
    return this.#shownBy.get(id);
  }

  /** Takes a row of the top level out of its place, and keeps it. */
  lift(key: string): void {
    const top = this.#children.get("") ?? [];
    const at = top.lastIndexOf(key);
    if (at >= 0) top.splice(at, 1);
  }

  /** Puts a row that was lifted, or that waited in the queue, at the end. */
  settle(key: string): void {
    const waited = this.queued.indexOf(key);
    if (waited >= 0) this.queued.splice(waited, 1);
    else this.lift(key);
    this.#children.get("")?.push(key);
  }

  remove(key: string): void {
    this.#rows.delete(key);
    for (const keys of this.#children.values()) {
      const at = keys.lastIndexOf(key);
      if (at >= 0) keys.splice(at, 1);
    }
  }

  turn(id: string): TurnSoFar {
    const known = this.turns.get(id);
    if (known) return known;
    const turn: TurnSoFar = { changes: [], errors: [] };
    this.turns.set(id, turn);
    return turn;
  }

  reuse(before: RowTree): void {
    for (const [key, row] of this.#rows) {
      const known = before.get(key);
      if (known && known.kind === row.kind && sameEvents(known.events, row.events)) this.#rows.set(key, known);
    }
  }

  /** A parent that the window does not hold is stood in for by a row that says so. */
  #parentKey(id: string): string {
    const known = this.#shownBy.get(id);
    if (known !== undefined) return known;
    const key = `subagent:${id}`;
    this.#shownBy.set(id, key);
    this.append({ kind: "subagent", key, events: [], id, title: "Work that began earlier" });
    return key;
  }
}

function sameEvents(a: readonly Envelope[], b: readonly Envelope[]): boolean {
  return a.length === b.length && a.every((event, index) => event === b[index]);
}
