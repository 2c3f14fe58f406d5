import type { SessionView } from "@gantry/protocol";
import {
  Archive,
  ArchiveRestore,
  Clipboard,
  Download,
  Ellipsis,
  Forward,
  Gauge,
  GitFork,
  PowerOff,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { agents } from "../store/agents.ts";
import { archiveSession } from "../store/archive.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/client.ts";
import { clearDraft } from "../store/drafts.ts";
import { forgetSession, takeSession } from "../store/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Menu, type MenuEntry } from "../ui/controls/menu.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";

/** What is asked for in a window of its own, fetched when it is first wanted. */
const dialogs = {
  handOff: lazyView(async () => ({ default: (await import("../handoff/handoff-dialog.tsx")).HandoffDialog })),
  exportIt: lazyView(async () => ({ default: (await import("../transfer/export-dialog.tsx")).ExportDialog })),
  budget: lazyView(async () => ({ default: (await import("../limits/budget-dialog.tsx")).BudgetDialog })),
};

/** What else can be done with a session. */
export function SessionMenu({ session }: { session: SessionView }) {
  const [deleting, setDeleting] = useState(false);
  const [asking, ask] = useState<keyof typeof dialogs>();
  const Asked = asking && dialogs[asking];
  const asks: MenuEntry[] = [
    { label: "Hand off …", icon: <Forward size={14} />, run: () => ask("handOff") },
    { label: "Export …", icon: <Download size={14} />, run: () => ask("exportIt") },
    { label: "Budget …", icon: <Gauge size={14} />, run: () => ask("budget") },
  ];
  const entries = [...asks, ...useEntries(session), deleteEntry(() => setDeleting(true))];
  return (
    <>
      <Menu label="Session menu" icon={<Ellipsis size={16} />} entries={entries} />
      {Asked && <Asked session={session} onClose={() => ask(undefined)} />}
      {deleting && <DeleteDialog session={session} onClose={() => setDeleting(false)} />}
    </>
  );
}

function useEntries(session: SessionView): MenuEntry[] {
  const { id, archived } = session;
  const [, go] = useLocation();
  const row = useCell(agents).find((known) => known.id === session.agent);
  const running = session.turn !== undefined;
  return [
    {
      label: archived ? "Bring back from the archive" : "Archive",
      icon: archived ? <ArchiveRestore size={14} /> : <Archive size={14} />,
      disabled: running && !archived,
      run: () => void archiveSession(session, !archived),
    },
    {
      label: "Fork",
      icon: <GitFork size={14} />,
      disabled: !row?.fork || running,
      run: () => tell(fork(id).then((next) => go(`/s/${next}`))),
    },
    { label: "Release the process", icon: <PowerOff size={14} />, disabled: running, run: () => tell(release(id)) },
    { label: "Copy the id", icon: <Clipboard size={14} />, run: () => tell(navigator.clipboard.writeText(id)) },
  ];
}

function deleteEntry(run: () => void): MenuEntry {
  return { label: "Delete …", icon: <Trash2 size={14} />, danger: true, run };
}

function tell(work: Promise<unknown>): void {
  work.catch(toastError);
}

async function fork(id: string): Promise<string> {
  const next = await client.sessions.fork(id);
  takeSession(next);
  return next.id;
}

async function release(id: string): Promise<void> {
  const { released } = await client.sessions.close(id);
  const text = released ? "The agent's process is released." : "No process was running.";
  toast({ tone: "info", text, remedy: "The next message takes the session up again." });
}

function DeleteDialog({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const [, go] = useLocation();
  const remove = async () => {
    await client.sessions.delete(session.id);
    clearDraft(session.id);
    go("/");
    forgetSession(session.id);
  };
  return (
    <Dialog
      title="Delete the session"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" onClick={() => tell(remove())}>
            Delete for good
          </Button>
        </>
      }
    >
      <p>
        <b className="font-semibold">{session.title}</b> stops, and its log, its recordings and its drafts are removed.
        The files that the agent wrote in its folder stay. This cannot be undone; archiving can.
      </p>
    </Dialog>
  );
}
