import { Cell } from "./cell.ts";

const PREFIX = "gantry.";
const keepUnchanged = <T>(value: T) => value;
const writers = new Set<() => void>();

/** Writes changes that subscribers have not been notified of yet. Called when the page is closed. */
export function storeCells(): void {
  for (const write of writers) write();
}

/**
 * A cell that is persisted in this browser's local storage and shared by all its tabs. `forms` are reductions of the value
 * for storage, most complete first: the first that fits is stored. If storage fails (private windows, a full disk), the
 * value stays in memory. The initial value is not stored.
 */
export function storedCell<T>(
  name: string,
  initial: T,
  forms: readonly ((value: T) => T)[] = [keepUnchanged],
): Cell<T> {
  const key = PREFIX + name;
  const cell = new Cell<T>(read(key) ?? initial);
  let written = cell.get();
  const store = () => {
    const value = cell.get();
    if (Object.is(value, written)) return;
    written = value;
    if (Object.is(value, initial)) localStorage.removeItem(key);
    else if (!forms.some((form) => write(key, form(value)))) localStorage.removeItem(key);
  };
  cell.subscribe(store);
  writers.add(store);
  addEventListener("storage", (event) => {
    if (event.key !== key) return;
    written = (event.newValue === null ? undefined : parse<T>(event.newValue)) ?? initial;
    cell.set(written);
  });
  return cell;
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : parse<T>(text);
  } catch {
    return undefined;
  }
}

function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
