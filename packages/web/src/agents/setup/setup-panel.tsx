import { ChevronDown } from "lucide-react";
import { useEffect } from "react";
import { useCell } from "../../store/cell.ts";
import { connection } from "../../store/connection/connection.ts";
import { storedCell } from "../../store/stored-cell.ts";
import { TerminalTabs } from "../../terminal/terminal-tabs.tsx";
import { loadTerminals, terminals } from "../../terminal/terminals.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ResizeHandle } from "../../ui/controls/resize-handle.tsx";
import { recheckAgent, setupTerminals, shownSetup } from "./run-setup.ts";

/** The height of the terminals in this browser. */
const terminalHeight = storedCell("terminal.height", 280);
const MIN_HEIGHT = 120;
/** Height reserved for the header and a few cards. */
const RESERVED = 260;

/** Terminals of setup commands, below the agents. A running one is shown again after a reload. */
export function SetupPanel() {
  const list = setupTerminals(useCell(terminals));
  const shown = useCell(shownSetup);
  const height = useCell(terminalHeight);
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
  const hide = () => shownSetup.set(undefined);
  return (
    <section
      aria-label="Terminal"
      style={{ height }}
      className="flex max-h-[calc(100%-8rem)] min-h-[7.5rem] shrink-0 flex-col"
    >
      <ResizeHandle
        label="Terminal height"
        edge="top"
        size={height}
        min={MIN_HEIGHT}
        reserved={RESERVED}
        onResize={(to) => terminalHeight.set(to)}
      />
      <TerminalTabs
        list={list}
        chosen={shown}
        focused
        onChoose={(id) => shownSetup.set(id)}
        onEmpty={hide}
        onExit={({ offer, state }) => {
          if (offer && state === "running") void recheckAgent(offer.agent);
        }}
      >
        <Button look="quiet" label="Hide terminals" icon={<ChevronDown size={15} />} onClick={hide} />
      </TerminalTabs>
    </section>
  );
}
