import type { SessionView } from "@gantry/protocol";
import { Archive, ArchiveRestore, Link2, Pin, PinOff, Square, SquareCheck, SquareTerminal } from "lucide-react";
import { navigate } from "wouter/use-browser-location";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { pinState, projects, togglePin } from "../store/projects.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { toast, toastError } from "../store/toasts.ts";
import type { MenuEntry } from "../ui/controls/menu.tsx";
import { toggleSelected } from "./selection.ts";

/** Actions on a session from a list. */
export function useCardMenu(session: SessionView, selectable = true): MenuEntry[] {
  const { id, archived, turn } = session;
  const isPinned = pinState(session, useCell(projects));
  const copyLink = () =>
    navigator.clipboard
      .writeText(`${location.origin}/s/${id}`)
      .then(() => toast({ tone: "info", text: "Link copied." }), toastError);
  return [
    { label: "Open", icon: <SquareTerminal size={14} />, run: () => navigate(`/s/${id}`) },
    ...(turn
      ? [
          {
            label: "Stop",
            icon: <Square size={14} />,
            run: () => void client.sessions.interrupt(id).catch(toastError),
          },
        ]
      : []),
    ...(selectable ? [{ label: "Select", icon: <SquareCheck size={14} />, run: () => toggleSelected(id) }] : []),
    ...(isPinned === undefined
      ? []
      : [
          {
            label: isPinned ? "Unpin" : "Pin",
            icon: isPinned ? <PinOff size={14} /> : <Pin size={14} />,
            run: () => void togglePin(session),
          },
        ]),
    { label: "Copy link", icon: <Link2 size={14} />, run: () => void copyLink() },
    {
      label: archived ? "Unarchive" : "Archive",
      icon: archived ? <ArchiveRestore size={14} /> : <Archive size={14} />,
      disabled: turn !== undefined && !archived,
      run: () => void archiveSession(session, !archived),
    },
  ];
}
