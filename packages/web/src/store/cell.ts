import { useSyncExternalStore } from "react";

type Listener = () => void;

/** Cells that changed since the last flush. Their subscribers are notified together, once per frame. */
const changed = new Set<Cell<unknown>>();
let scheduled = false;

/**
 * A value that components subscribe to. It may be set any number of times; subscribers are notified at most once per
 * frame, so that a burst of events costs one render.
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

  /** Called only by the flush. */
  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(cell.subscribe, cell.get);
}

/** Part of a cell. `select` must return the same object for the same value, or the component renders needlessly. */
export function useCellPart<T, P>(cell: Cell<T>, select: (value: T) => P): P {
  return useSyncExternalStore(cell.subscribe, () => select(cell.get()));
}

/** Notifies subscribers immediately, for changes that respond to user input. */
export function flushCells(): void {
  const cells = [...changed];
  changed.clear();
  scheduled = false;
  for (const cell of cells) cell.notify();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  // A hidden page gets no animation frames, but its title must stay up to date.
  if (document.hidden) setTimeout(flushCells, 100);
  else requestAnimationFrame(() => scheduled && flushCells());
}
