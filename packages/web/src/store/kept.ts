import { Cell } from "./cell.ts";

const PREFIX = "gantry.";
const asItIs = <T>(value: T) => value;

/**
 * A value that outlives the page, in this browser alone, and is the same in all its tabs. `forms` are the ways of storing
 * it, the fullest first: the first that fits is taken. What cannot be read or written (private windows, a full disk) falls
 * back to memory; the initial value takes no room at all.
 */
export function keptCell<T>(name: string, initial: T, forms: readonly ((value: T) => T)[] = [asItIs]): Cell<T> {
  const key = PREFIX + name;
  const cell = new Cell<T>(read(key) ?? initial);
  let written = cell.get();
  cell.subscribe(() => {
    const value = cell.get();
    if (Object.is(value, written)) return;
    written = value;
    if (Object.is(value, initial)) localStorage.removeItem(key);
    else if (!forms.some((form) => write(key, form(value)))) localStorage.removeItem(key);
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
