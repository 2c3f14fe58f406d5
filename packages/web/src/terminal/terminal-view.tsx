import { GantryError } from "@gantry/protocol";
import { useEffect, useRef, useState } from "react";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection/connection.ts";
import { Keys } from "../ui/controls/keys.tsx";
import { LEAVE } from "./screen/keys.ts";
import type { Screen, ScreenEnd } from "./screen/screen.ts";
import { exitText } from "./terminal-text.ts";
import { hasEnded, noteExit } from "./terminals.ts";

type TerminalViewProps = {
  id: string;
  /** Takes the focus when it is shown. */
  focused?: boolean;
  /** Called when the user leaves the terminal by keyboard. */
  onLeave: () => void;
  onExit?: () => void;
};

/** A terminal of the daemon. Its output is rendered again whenever it is shown. */
export function TerminalView({ id, focused = false, onLeave, onExit }: TerminalViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [end, setEnd] = useState<ScreenEnd>();
  const attempt = useAttempts(end);
  const latest = useRef({ focused, onLeave, onExit });
  latest.current = { focused, onLeave, onExit };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt renders it again.
  useEffect(() => {
    const onEnd = (reached: ScreenEnd) => {
      setEnd(reached);
      if (!("exit" in reached)) return;
      noteExit(id, reached.exit);
      latest.current.onExit?.();
    };
    setEnd(undefined);
    const place = host.current;
    if (!place) return;
    return showScreen(place, (Made) => {
      const screen = new Made({ id, host: place, ended: hasEnded(id), onEnd, onLeave: () => latest.current.onLeave() });
      if (latest.current.focused) screen.focus();
      return screen;
    });
  }, [id, attempt]);
  return (
    <div className="flex min-h-0 grow flex-col bg-sunken">
      <div ref={host} className="min-h-0 grow overflow-hidden py-1.5 pl-3 font-mono" />
      <footer className="flex min-h-6 shrink-0 items-center gap-2 px-3 text-2xs text-faint">
        <span role="status" className="grow truncate">
          {end && endText(end)}
        </span>
        {!end && (
          <span className="flex items-center gap-1.5 whitespace-nowrap">
            <span className="text-ink">
              <Keys keys={LEAVE} />
            </span>
            <span className="sr-only">{LEAVE}</span> to leave the terminal
          </span>
        )}
      </footer>
    </div>
  );
}

/** Increments when the daemon is back after a terminal could not be reached. */
function useAttempts(end: ScreenEnd | undefined): number {
  const [attempts, setAttempts] = useState(0);
  const online = useCell(connection).state === "online";
  const lost = end !== undefined && "error" in end && !isGone(end.error);
  useEffect(() => {
    if (online && lost) setAttempts((count) => count + 1);
  }, [online, lost]);
  return attempts;
}

/** Loads xterm on first use and shows a screen. Returns its cleanup, which also works before xterm has loaded. */
function showScreen(place: HTMLElement, make: (Made: typeof Screen) => Screen): () => void {
  let mounted = true;
  let screen: Screen | undefined;
  void import("./screen/screen.ts").then((loaded) => {
    if (mounted && place.isConnected) screen = make(loaded.Screen);
  });
  return () => {
    mounted = false;
    screen?.dispose();
  };
}

function endText(end: ScreenEnd): string {
  if ("exit" in end) return exitText(end.exit);
  if (isGone(end.error)) return "This terminal ended with the daemon.";
  return `The terminal could not be reached: ${end.error instanceof Error ? end.error.message : String(end.error)}`;
}

function isGone(error: unknown): boolean {
  return error instanceof GantryError && error.code === "no_such_terminal";
}
