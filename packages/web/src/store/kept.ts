import { Cell } from "./cell.ts";

const PREFIX = "gantry.";

/**
 * A value that outlives the page, in this browser alone, and is the same in all its tabs. What cannot be read or written
 * (private windows, a full disk) falls back to memory.
 */
export function keptCell<T>(name: string, initial: T): Cell<T> {
  const key = PREFIX + name;
  const cell = new Cell<T>(read(key) ?? initial);
  let written = cell.get();
  cell.subscribe(() => {
    const value = cell.get();
    if (Object.is(value, written)) return;
    written = value;
    write(key, value);
  });
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

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Kept in memory until the page is closed.
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
