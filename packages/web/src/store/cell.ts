import { useSyncExternalStore } from "react";

type Listener = () => void;

/** Cells that changed since readers were last told; they are told together, once a frame. */
const changed = new Set<Cell<unknown>>();
let scheduled = false;

/**
 * A value that components read. Writers set it as often as they like; readers hear of it at most once a frame, so a
 * burst of events costs one render.
 */
export class Cell<T> {
  #value: T;
  readonly #listeners = new Set<Listener>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    if (this.#listeners.size === 0) return;
    changed.add(this as Cell<unknown>);
    schedule();
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value));
  }

  subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Only for the flush. */
  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(cell.subscribe, cell.get);
}

/** Part of a cell. `select` must give the same object for the same value, or readers are told for nothing. */
export function useCellPart<T, P>(cell: Cell<T>, select: (value: T) => P): P {
  return useSyncExternalStore(cell.subscribe, () => select(cell.get()));
}

/** Tells readers now, for an answer to what a person just did. */
export function flushCells(): void {
  const cells = [...changed];
  changed.clear();
  scheduled = false;
  for (const cell of cells) cell.tell();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  // A hidden page paints no frames, and its title still counts what waits.
  if (document.hidden) setTimeout(flushCells, 100);
  else requestAnimationFrame(() => scheduled && flushCells());
}
