import { useEffect } from "react";
import { useCell } from "../../store/cell.ts";
import { connection } from "../../store/connection/connection.ts";
import { TerminalPanel } from "../../terminal/terminal-panel.tsx";
import { loadTerminals, terminals } from "../../terminal/terminals.ts";
import { recheckAgent, setupTerminals, shownSetup } from "./run-setup.ts";

/** Terminals of setup commands, below the agents. A running one is shown again after a reload. */
export function SetupPanel() {
  const list = setupTerminals(useCell(terminals));
  const shown = useCell(shownSetup);
  const online = useCell(connection).state === "online";
  useEffect(() => {
    if (!online) return;
    void loadTerminals().then(
      (found) => {
        const running = setupTerminals(found).findLast(({ state }) => state === "running");
        if (running) shownSetup.update((id) => id ?? running.id);
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
      onChoose={(id) => shownSetup.set(id)}
      onHide={() => shownSetup.set(undefined)}
      onExit={({ offer, state }) => {
        if (offer && state === "running") void recheckAgent(offer.agent);
      }}
    />
  );
}
