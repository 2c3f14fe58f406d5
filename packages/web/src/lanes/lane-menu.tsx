import type { Lane } from "@gantry/protocol";
import { Archive, ArchiveRestore, Clipboard, Ellipsis, Merge, Pencil, Play, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../store/connection/client.ts";
import { lastPlace } from "../store/outgoing/last-choices.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Menu, type MenuEntry } from "../ui/controls/menu.tsx";
import { LandDialog } from "./dialogs/land-dialog.tsx";
import { RemoveDialog } from "./dialogs/remove-dialog.tsx";
import { RenameDialog } from "./dialogs/rename-dialog.tsx";

type LaneDialog = "land" | "rename" | "remove";

/** The actions of a lane. The primary lane belongs to the user; Gantry only starts sessions there. */
export function LaneMenu({ lane, onChanged }: { lane: Lane; onChanged: () => void }) {
  const [dialog, openDialog] = useState<LaneDialog>();
  const [, go] = useLocation();
  const done = () => {
    openDialog(undefined);
    onChanged();
  };
  const close = () => openDialog(undefined);
  const startSession = () => {
    lastPlace.update((all) => ({ ...all, cwd: lane.path, newLane: false }));
    go("/new");
  };
  const entries: MenuEntry[] = [
    { label: "Start a session here", icon: <Play size={14} />, disabled: lane.state !== "ready", run: startSession },
    ...(lane.kind === "primary" ? [] : worktreeEntries(lane, openDialog, onChanged)),
    { label: "Copy path", icon: <Clipboard size={14} />, run: () => void copy(lane.path) },
  ];
  return (
    <>
      <Menu label={`Actions for ${lane.name}`} icon={<Ellipsis size={16} />} entries={entries} />
      {dialog === "land" && <LandDialog lane={lane} onClose={close} onLanded={done} />}
      {dialog === "rename" && <RenameDialog lane={lane} onClose={close} onRenamed={done} />}
      {dialog === "remove" && <RemoveDialog lane={lane} onClose={close} onRemoved={done} />}
    </>
  );
}

function worktreeEntries(lane: Lane, openDialog: (dialog: LaneDialog) => void, onChanged: () => void): MenuEntry[] {
  const archived = lane.state === "archived";
  const ready = lane.state === "ready";
  return [
    { label: "Land…", icon: <Merge size={14} />, disabled: !ready, run: () => openDialog("land") },
    {
      label: "Update from base",
      icon: <RefreshCw size={14} />,
      disabled: !ready || lane.behind === 0,
      run: () => toastFailure(update(lane).then(onChanged)),
    },
    { label: "Rename…", icon: <Pencil size={14} />, run: () => openDialog("rename") },
    {
      label: archived ? "Unarchive" : "Archive",
      icon: archived ? <ArchiveRestore size={14} /> : <Archive size={14} />,
      run: () =>
        toastFailure(
          client.call("patchLane", { params: { id: lane.id }, body: { archived: !archived } }).then(onChanged),
        ),
    },
    { label: "Remove…", icon: <Trash2 size={14} />, danger: true, run: () => openDialog("remove") },
  ];
}

async function update(lane: Lane): Promise<void> {
  const { moved, base } = await client.call("updateLane", { params: { id: lane.id }, body: { dirty: true } });
  toast({ tone: "info", text: moved ? `Updated ${lane.name} to ${base}.` : `${lane.name} was already up to date.` });
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(toastError);
}

function toastFailure(work: Promise<unknown>): void {
  work.catch(toastError);
}
