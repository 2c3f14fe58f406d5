import type { Offer, Terminal } from "@gantry/protocol";
import { useLocation } from "wouter";
import { storeAgent } from "../../store/agents.ts";
import { Cell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { loadTerminals, openTerminal, terminals } from "../../terminal/terminals.ts";
import { openSetup } from "./setup-request.ts";

/** The terminal shown in the setup panel; `undefined` while the panel is hidden. */
export const shownSetup = new Cell<string | undefined>(undefined);

/** Runs a setup command in a terminal of the page. If it is already running, its terminal is shown. */
export async function runSetup(offer: Pick<Offer, "agent" | "kind">): Promise<void> {
  try {
    shownSetup.set((await findSetupTerminal(offer)).id);
  } catch (error) {
    toastError(error);
  }
}

/** The terminal of a setup command: the running one, else a new one. Throws `GantryError`. */
export async function findSetupTerminal({ agent, kind }: Pick<Offer, "agent" | "kind">): Promise<Terminal> {
  const running = setupTerminals(await loadTerminals()).find(
    ({ offer, state }) => state === "running" && offer?.agent === agent && offer.kind === kind,
  );
  return running ?? openTerminal({ offer: { agent, kind } });
}

/** Terminals that run, or have run, a setup command. */
export function setupTerminals(list: readonly Terminal[] = terminals.get()): Terminal[] {
  return list.filter(({ offer }) => offer !== undefined);
}

/** Checks one agent again. */
export async function recheckAgent(agent: string): Promise<void> {
  try {
    storeAgent((await client.agents.get(agent, true)).agent);
  } catch (error) {
    toastError(error);
  }
}

/**
 * Returns a function that opens a setup command: on the Agents page in its terminal panel, elsewhere over the current view.
 * A key is entered in a form everywhere.
 */
export function useRunSetup(): (offer: Offer) => void {
  const [here] = useLocation();
  return (offer) => {
    if (here === "/agents" && !offer.keys) void runSetup(offer);
    else openSetup(offer);
  };
}
