import type { Offer, Terminal } from "@gantry/protocol";
import { takeAgent } from "../../store/agents.ts";
import { Cell } from "../../store/cell.ts";
import { client } from "../../store/client.ts";
import { toastError } from "../../store/toasts.ts";
import { loadTerminals, openTerminal, terminals } from "../../terminal/terminals.ts";

/** The offer's terminal that is shown, of those that there are; `undefined` when they are hidden. */
export const shownOffer = new Cell<string | undefined>(undefined);

/** Runs what is offered in a terminal of the page. One that runs already is shown instead. */
export async function runOffer({ agent, kind }: Pick<Offer, "agent" | "kind">): Promise<void> {
  try {
    const running = offerTerminals(await loadTerminals()).find(
      ({ offer, state }) => state === "running" && offer?.agent === agent && offer.kind === kind,
    );
    const terminal = running ?? (await openTerminal({ offer: { agent, kind } }));
    shownOffer.set(terminal.id);
  } catch (error) {
    toastError(error);
  }
}

/** Installs and logins that run, or have run, in terminals. */
export function offerTerminals(list: readonly Terminal[] = terminals.get()): Terminal[] {
  return list.filter(({ offer }) => offer !== undefined);
}

/** Asks an agent how it is now. */
export async function askAgain(agent: string): Promise<void> {
  try {
    takeAgent((await client.agents.get(agent, true)).agent);
  } catch (error) {
    toastError(error);
  }
}
