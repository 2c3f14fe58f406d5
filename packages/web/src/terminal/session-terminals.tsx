import { useEffect, useState } from "react";
import type { PanelViewProps } from "../panel/panel-tab.ts";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection/connection.ts";
import { toastError } from "../store/toasts.ts";
import { TerminalTabs } from "./terminal-tabs.tsx";
import { loadTerminals, openTerminal, terminals } from "./terminals.ts";

/** The terminals of a session. They keep running while hidden and across reloads. */
export default function SessionTerminals({ session: { id }, focused, onClose }: PanelViewProps) {
  const list = useCell(terminals).filter((terminal) => terminal.session === id && !terminal.offer);
  const [chosen, setChosen] = useState<string>();
  const open = () => openTerminal({ session: id }).then((opened) => setChosen(opened.id));
  // Terminals end with the daemon, so open a new one after a restart.
  const online = useCell(connection).state === "online";
  useEffect(() => {
    if (online) void ensureTerminal(id).catch(toastError);
  }, [id, online]);
  return (
    <section aria-label="Terminal" className="flex min-h-0 grow flex-col">
      <TerminalTabs
        list={list}
        chosen={chosen}
        focused={focused || chosen !== undefined}
        onChoose={setChosen}
        onNew={() => void open().catch(toastError)}
        onEmpty={onClose}
      />
    </section>
  );
}

/** Calls in flight by session, so that none gets two terminals. */
const starting = new Map<string, Promise<void>>();

/** Loads the terminals of a session and opens one if it has none. */
function ensureTerminal(session: string): Promise<void> {
  const running = starting.get(session);
  if (running) return running;
  const work = loadOrOpen(session).finally(() => starting.delete(session));
  starting.set(session, work);
  return work;
}

async function loadOrOpen(session: string): Promise<void> {
  const found = await loadTerminals();
  const own = found.some((terminal) => terminal.session === session && !terminal.offer);
  if (!own) await openTerminal({ session });
}
