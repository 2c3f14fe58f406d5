import { useEffect } from "react";
import { useCell } from "../../store/cell.ts";
import { connection } from "../../store/connection.ts";
import { TerminalPanel } from "../../terminal/terminal-panel.tsx";
import { loadTerminals, terminals } from "../../terminal/terminals.ts";
import { askAgain, offerTerminals, shownOffer } from "./run-offer.ts";

/** Installs and logins in their terminals, below the agents. What still runs is shown again after a reload. */
export function OfferPanel() {
  const list = offerTerminals(useCell(terminals));
  const shown = useCell(shownOffer);
  const online = useCell(connection).state === "online";
  useEffect(() => {
    if (!online) return;
    void loadTerminals().then(
      (found) => {
        const running = offerTerminals(found).findLast(({ state }) => state === "running");
        if (running) shownOffer.update((id) => id ?? running.id);
      },
      () => undefined,
    );
  }, [online]);
  if (shown === undefined || list.length === 0) return null;
  return (
    <TerminalPanel
      list={list}
      chosen={shown}
      focused
      onChoose={(id) => shownOffer.set(id)}
      onHide={() => shownOffer.set(undefined)}
      onExit={({ offer, state }) => {
        if (offer && state === "running") void askAgain(offer.agent);
      }}
    />
  );
}
