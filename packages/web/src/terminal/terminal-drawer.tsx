import { SquareTerminal } from "lucide-react";
import { useEffect, useState } from "react";
import { useShortcuts } from "../shell/shortcuts.ts";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection/connection.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { openDrawers, toggleDrawer } from "./drawer-state.ts";
import { TOGGLE } from "./screen/keys.ts";
import { TerminalPanel } from "./terminal-panel.tsx";
import { loadTerminals, openTerminal, terminals } from "./terminals.ts";

/** Shows and hides the terminals of a session. */
export function TerminalButton({ session }: { session: string }) {
  const open = useCell(openDrawers).includes(session);
  return (
    <Button
      look={open ? "plain" : "quiet"}
      label="Terminals"
      aria-pressed={open}
      icon={<SquareTerminal size={16} />}
      onClick={() => toggleDrawer(session)}
    />
  );
}

/** The terminals of a session, at the bottom of its page. They keep running while hidden and across reloads. */
export function TerminalDrawer({ session }: { session: string }) {
  const open = useCell(openDrawers).includes(session);
  // Take the focus only if the user opened the drawer, not if it was open on load.
  const [opened, setOpened] = useState(false);
  const run = () => toggleDrawer(session);
  useShortcuts([{ keys: TOGGLE, does: "Show or hide the terminals", run, whileTyping: true }]);
  useEffect(() => {
    if (!open) setOpened(true);
  }, [open]);
  return open ? <Drawer session={session} focused={opened} /> : null;
}

function Drawer({ session, focused }: { session: string; focused: boolean }) {
  const list = useCell(terminals).filter((terminal) => terminal.session === session && !terminal.offer);
  const [chosen, setChosen] = useState<string>();
  const open = () => openTerminal({ session }).then(({ id }) => setChosen(id));
  // Terminals end with the daemon, so open a new one after a restart.
  const online = useCell(connection).state === "online";
  useEffect(() => {
    if (!online) return;
    void ensureTerminal(session).catch((error: unknown) => {
      toggleDrawer(session, false);
      toastError(error);
    });
  }, [session, online]);
  return (
    <TerminalPanel
      list={list}
      chosen={chosen}
      focused={focused || chosen !== undefined}
      onChoose={setChosen}
      onNew={() => void open().catch(toastError)}
      onHide={() => toggleDrawer(session, false)}
    />
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
