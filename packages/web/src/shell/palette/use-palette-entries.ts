import type { SessionView } from "@gantry/protocol";
import { useMemo } from "react";
import { useLocation } from "wouter";
import { agentName, agents } from "../../store/agents.ts";
import { archiveSession } from "../../store/archive.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/client.ts";
import { useSession, useSessions } from "../../store/hooks.ts";
import { setPreference } from "../../store/preferences.ts";
import { takeSession } from "../../store/sessions.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { overlay, toggleSidebar } from "../overlays.ts";
import { places } from "../places.tsx";
import { type Change, changesOf, type Entry } from "./palette-entries.ts";

/** Everything that the palette can do from here: the open session first, then other sessions, places and the rest. */
export function usePaletteEntries(): Entry[] {
  const [here, go] = useLocation();
  const sessions = useSessions();
  const rows = useCell(agents);
  const open = useSession(/^\/s\/([^/]+)/.exec(here)?.[1] ?? "");
  return useMemo(() => {
    const changes = open
      ? changesOf(
          open,
          rows.find((row) => row.id === open.agent),
        )
      : [];
    const others = sessions.filter((session) => session.id !== open?.id);
    return [
      ...(open ? sessionEntries(open) : []),
      ...changes.map(
        ({ name, change }): Entry => ({
          id: `change ${name}`,
          group: "This session",
          name,
          run: () => void changeSession(open as SessionView, change),
        }),
      ),
      ...others.map(
        (session): Entry => ({
          id: session.id,
          group: "Session",
          name: session.title,
          hint: `${agentName(rows, session.agent)} · ${session.cwd}${session.archived ? " · archived" : ""}`,
          run: () => go(`/s/${session.id}`),
        }),
      ),
      ...places.map(({ href, name }): Entry => ({ id: href, group: "Place", name, run: () => go(href) })),
      ...generalEntries(go),
    ];
  }, [sessions, rows, open, go]);
}

function sessionEntries(session: SessionView): Entry[] {
  const entry = (name: string, run: () => void): Entry => ({ id: name, group: "This session", name, run });
  const stop = () => void client.sessions.interrupt(session.id).catch(toastError);
  return [
    ...(session.turn ? [entry("Stop the turn", stop)] : []),
    entry(
      session.archived ? "Take this session out of the archive" : "Archive this session",
      () => void archiveSession(session, !session.archived),
    ),
  ];
}

function generalEntries(go: (path: string) => void): Entry[] {
  const entry = (name: string, run: () => void, hint?: string): Entry => ({
    id: name,
    group: "Action",
    name,
    hint,
    run,
  });
  return [
    entry("New session", () => go("/new")),
    entry("Launch several agents", () => go("/launch"), "one prompt, lanes side by side"),
    entry("Import a conversation", () => go("/import"), "from an agent's own files, or a file"),
    entry("Keyboard shortcuts", () => overlay.set("shortcuts")),
    entry("Show or hide the sidebar", toggleSidebar),
    entry("Light colours", () => setPreference("theme", "light"), "theme"),
    entry("Dark colours", () => setPreference("theme", "dark"), "theme"),
    entry("Colours of the system", () => setPreference("theme", "system"), "theme"),
  ];
}

async function changeSession(session: SessionView, change: Change): Promise<void> {
  try {
    const { session: changed, applied } = await client.sessions.patch(session.id, change);
    takeSession(changed);
    const later = applied.some(({ when }) => when !== "now");
    toast({ tone: "info", text: later ? "Changed from the next turn on." : "Changed." });
  } catch (error) {
    toastError(error);
  }
}
