import { GantryError } from "@gantry/protocol";
import { useEffect, useRef, useState } from "react";
import { useCell } from "../store/cell.ts";
import { connection } from "../store/connection/connection.ts";
import { Keys } from "../ui/controls/keys.tsx";
import { LEAVE } from "./screen/keys.ts";
import type { Screen, ScreenEnd } from "./screen/screen.ts";
import { exitWords } from "./terminal-words.ts";
import { hasEnded, noteExit } from "./terminals.ts";

type TerminalViewProps = {
  id: string;
  /** Takes the keyboard as soon as it is shown. */
  focused?: boolean;
  /** Where the focus goes when the terminal is left by keyboard. */
  onLeave: () => void;
  onExit?: () => void;
};

/** A terminal of the daemon. What it has printed is drawn again whenever it is shown. */
export function TerminalView({ id, focused = false, onLeave, onExit }: TerminalViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [end, setEnd] = useState<ScreenEnd>();
  const attempt = useAttempts(end);
  const latest = useRef({ focused, onLeave, onExit });
  latest.current = { focused, onLeave, onExit };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt draws it again.
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
          {end && endWords(end)}
        </span>
        {!end && (
          <span className="flex items-center gap-1.5 whitespace-nowrap">
            <span className="text-ink">
              <Keys keys={LEAVE} />
            </span>
            <span className="sr-only">{LEAVE}</span> leaves the terminal
          </span>
        )}
      </footer>
    </div>
  );
}

/** Counts up when a terminal that could not be reached is worth another try: the daemon answers again. */
function useAttempts(end: ScreenEnd | undefined): number {
  const [attempts, setAttempts] = useState(0);
  const online = useCell(connection).state === "online";
  const lost = end !== undefined && "error" in end && !isGone(end.error);
  useEffect(() => {
    if (online && lost) setAttempts((count) => count + 1);
  }, [online, lost]);
  return attempts;
}

/** Loads xterm with the first terminal. Gives a function that takes the screen away, whether it has come by then or not. */
function showScreen(place: HTMLElement, make: (Made: typeof Screen) => Screen): () => void {
  let wanted = true;
  let screen: Screen | undefined;
  void import("./screen/screen.ts").then((loaded) => {
    if (wanted && place.isConnected) screen = make(loaded.Screen);
  });
  return () => {
    wanted = false;
    screen?.dispose();
  };
}

function endWords(end: ScreenEnd): string {
  if ("exit" in end) return exitWords(end.exit);
  if (isGone(end.error)) return "This terminal is gone: terminals end with the daemon.";
  return `The terminal cannot be reached: ${end.error instanceof Error ? end.error.message : String(end.error)}`;
}

function isGone(error: unknown): boolean {
  return error instanceof GantryError && error.code === "no_such_terminal";
}
