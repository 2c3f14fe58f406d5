import type { OpenTerminal, Terminal, TerminalExit } from "@gantry/protocol";
import { Cell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { markAnswered } from "./screen/answered-offsets.ts";

/** The terminals of the daemon, oldest first. */
export const terminals = new Cell<readonly Terminal[]>([]);

/** Loads the running terminals, which survive a reload of the page. Throws `GantryError`. */
export async function loadTerminals(): Promise<readonly Terminal[]> {
  const list = await client.terminals.list();
  const known = new Set(terminals.get().map(({ id }) => id));
  for (const { id, to } of list) if (!known.has(id)) markAnswered(id, to);
  terminals.set(list);
  return list;
}

/** Opens a terminal. Throws `GantryError`. */
export async function openTerminal(body: OpenTerminal): Promise<Terminal> {
  const opened = await client.terminals.open(body);
  markAnswered(opened.id, 0);
  terminals.update((list) => [...list.filter(({ id }) => id !== opened.id), opened]);
  return opened;
}

/** Ends a terminal and removes it. Ignores one that no longer exists. */
export async function closeTerminal(id: string): Promise<void> {
  terminals.update((list) => list.filter((terminal) => terminal.id !== id));
  await client.terminals.close(id).catch(() => undefined);
}

export function hasEnded(id: string): boolean {
  return terminals.get().some((terminal) => terminal.id === id && terminal.state === "exited");
}

export function noteExit(id: string, exit: TerminalExit): void {
  terminals.update((list) => list.map((known) => (known.id === id ? { ...known, state: "exited", exit } : known)));
}
