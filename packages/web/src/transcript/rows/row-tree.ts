import type { Envelope } from "@gantry/protocol";
import type { Row, RowKind } from "./row.ts";

/** The state of a turn that has not ended. The fold creates the turn's row from it at the end. */
export type OpenTurn = {
  started?: Envelope<"turn.started">;
  /** Events that reported changed files: `diff.updated`, or the ends of tool calls. */
  changes: Envelope<"diff.updated" | "tool.ended">[];
  /** Messages of failures that have their own row. */
  errors: string[];
  /** The key of its plan's row. */
  plan?: string;
};

/** The key of an item's row, the same while it streams and after. */
export function itemKey(item: string): string {
  return `item:${item}`;
}

/** Rows by key, and the ordered keys of each row's children. Top-level rows are children of the empty key. */
export class RowTree {
  readonly #rows = new Map<string, Row>();
  readonly #children = new Map<string, string[]>([["", []]]);
  readonly #latest = new Map<RowKind, string>();
  /** The key of the row that shows an item or subagent, by its id. */
  readonly #rowFor = new Map<string, string>();
  readonly turns = new Map<string, OpenTurn>();
  /** Keys of queued messages. */
  readonly queued: string[] = [];

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** The row of this kind and key; `undefined` if there is none or it has another kind. */
  find<K extends RowKind>(kind: K, key: string): Extract<Row, { kind: K }> | undefined {
    const row = this.#rows.get(key);
    return row?.kind === kind ? (row as Extract<Row, { kind: K }>) : undefined;
  }

  /** The last appended row of a kind. */
  findLatest<K extends RowKind>(kind: K): Extract<Row, { kind: K }> | undefined {
    return this.find(kind, this.#latest.get(kind) ?? "");
  }

  children(key = ""): readonly string[] {
    return this.#children.get(key) ?? [];
  }

  /** Appends a row under the row of `parent`, the id of an item or subagent. */
  append(row: Row, parent?: string): void {
    // A placeholder already has its position.
    if (this.#rows.has(row.key)) return this.replace(row);
    this.#rows.set(row.key, row);
    this.#latest.set(row.kind, row.key);
    const under = parent === undefined ? "" : this.#parentKey(parent);
    const siblings = this.#children.get(under);
    if (siblings) siblings.push(row.key);
    else this.#children.set(under, [row.key]);
  }

  /** Replaces the row with the same key. */
  replace(row: Row): void {
    this.#rows.set(row.key, row);
  }

  /** Sets the row that shows `id` and its children. */
  setRowFor(id: string, key: string): void {
    this.#rowFor.set(id, key);
  }

  rowFor(id: string): string | undefined {
    return this.#rowFor.get(id);
  }

  /** Removes a top-level row from the order but keeps the row. */
  lift(key: string): void {
    const top = this.#children.get("") ?? [];
    const at = top.lastIndexOf(key);
    if (at >= 0) top.splice(at, 1);
  }

  /** Appends a lifted or queued row to the end of the top level. */
  settle(key: string): void {
    const index = this.queued.indexOf(key);
    if (index >= 0) this.queued.splice(index, 1);
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

  turn(id: string): OpenTurn {
    const known = this.turns.get(id);
    if (known) return known;
    const turn: OpenTurn = { changes: [], errors: [] };
    this.turns.set(id, turn);
    return turn;
  }

  reuse(before: RowTree): void {
    for (const [key, row] of this.#rows) {
      const known = before.get(key);
      if (known && known.kind === row.kind && sameEvents(known.events, row.events)) this.#rows.set(key, known);
    }
  }

  /** A parent that is not in the window gets a placeholder row. */
  #parentKey(id: string): string {
    const known = this.#rowFor.get(id);
    if (known !== undefined) return known;
    const key = `subagent:${id}`;
    this.#rowFor.set(id, key);
    this.append({ kind: "subagent", key, events: [], id, title: "Started earlier" });
    return key;
  }
}

function sameEvents(a: readonly Envelope[], b: readonly Envelope[]): boolean {
  return a.length === b.length && a.every((event, index) => event === b[index]);
}
