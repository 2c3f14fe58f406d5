import type { Lane } from "@gantry/protocol";
import { Archive, ArchiveRestore, Clipboard, Ellipsis, Merge, Pencil, Play, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../store/client.ts";
import { lastChoices } from "../store/last-choices.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Menu, type MenuEntry } from "../ui/controls/menu.tsx";
import { LandDialog } from "./dialogs/land-dialog.tsx";
import { RemoveDialog } from "./dialogs/remove-dialog.tsx";
import { RenameDialog } from "./dialogs/rename-dialog.tsx";

type Asking = "land" | "rename" | "remove";

/** What can be done with a lane. The primary one is the user's own: Gantry only starts sessions there. */
export function LaneMenu({ lane, onChanged }: { lane: Lane; onChanged: () => void }) {
  const [asking, ask] = useState<Asking>();
  const [, go] = useLocation();
  const done = () => {
    ask(undefined);
    onChanged();
  };
  const close = () => ask(undefined);
  const begin = () => {
    lastChoices.update((all) => ({ ...all, cwd: lane.path, apart: false }));
    go("/new");
  };
  const entries: MenuEntry[] = [
    { label: "Start a session here", icon: <Play size={14} />, disabled: lane.state !== "ready", run: begin },
    ...(lane.kind === "primary" ? [] : ownEntries(lane, ask, onChanged)),
    { label: "Copy the path", icon: <Clipboard size={14} />, run: () => void copy(lane.path) },
  ];
  return (
    <>
      <Menu label={`Menu of ${lane.name}`} icon={<Ellipsis size={16} />} entries={entries} />
      {asking === "land" && <LandDialog lane={lane} onClose={close} onLanded={done} />}
      {asking === "rename" && <RenameDialog lane={lane} onClose={close} onRenamed={done} />}
      {asking === "remove" && <RemoveDialog lane={lane} onClose={close} onRemoved={done} />}
    </>
  );
}

function ownEntries(lane: Lane, ask: (what: Asking) => void, onChanged: () => void): MenuEntry[] {
  const archived = lane.state === "archived";
  const ready = lane.state === "ready";
  return [
    { label: "Land …", icon: <Merge size={14} />, disabled: !ready, run: () => ask("land") },
    {
      label: "Bring up to date with its base",
      icon: <RefreshCw size={14} />,
      disabled: !ready || lane.behind === 0,
      run: () => tell(update(lane).then(onChanged)),
    },
    { label: "Rename …", icon: <Pencil size={14} />, run: () => ask("rename") },
    {
      label: archived ? "Bring back from the archive" : "Archive",
      icon: archived ? <ArchiveRestore size={14} /> : <Archive size={14} />,
      run: () =>
        tell(client.call("patchLane", { params: { id: lane.id }, body: { archived: !archived } }).then(onChanged)),
    },
    { label: "Remove …", icon: <Trash2 size={14} />, danger: true, run: () => ask("remove") },
  ];
}

async function update(lane: Lane): Promise<void> {
  const { moved, base } = await client.call("updateLane", { params: { id: lane.id }, body: { dirty: true } });
  toast({ tone: "info", text: moved ? `${lane.name} is up to date with ${base}.` : `${lane.name} already was.` });
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(toastError);
}

function tell(work: Promise<unknown>): void {
  work.catch(toastError);
}
