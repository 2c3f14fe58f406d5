import type { Offer, Terminal } from "@gantry/protocol";
import { useLocation } from "wouter";
import { storeAgent } from "../../store/agents.ts";
import { Cell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { loadTerminals, openTerminal, terminals } from "../../terminal/terminals.ts";

/** The terminal shown in the setup panel; `undefined` while the panel is hidden. */
export const shownSetup = new Cell<string | undefined>(undefined);

/** Runs a setup command in a terminal of the page. If it is already running, its terminal is shown. */
export async function runSetup({ agent, kind }: Pick<Offer, "agent" | "kind">): Promise<void> {
  try {
    const running = setupTerminals(await loadTerminals()).find(
      ({ offer, state }) => state === "running" && offer?.agent === agent && offer.kind === kind,
    );
    const terminal = running ?? (await openTerminal({ offer: { agent, kind } }));
    shownSetup.set(terminal.id);
  } catch (error) {
    toastError(error);
  }
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

/** Returns a function that runs a setup command and opens the page that shows its terminal. */
export function useRunSetup(): (offer: Offer) => void {
  const [here, go] = useLocation();
  return (offer) => {
    if (here !== "/agents") go("/agents");
    void runSetup(offer);
  };
}
