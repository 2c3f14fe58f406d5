import type { SessionView } from "@gantry/protocol";
import {
  Archive,
  ArchiveRestore,
  ChartPie,
  Clipboard,
  Crown,
  Download,
  Ellipsis,
  FolderPlus,
  Forward,
  Gauge,
  GitFork,
  History,
  PowerOff,
  Trash2,
} from "lucide-react";
import { useLocation } from "wouter";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { clearDraft } from "../store/outgoing/drafts.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { forgetSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { enterPast } from "../time-travel/past-address.ts";
import { Button } from "../ui/controls/button.tsx";
import { Menu, type MenuEntry } from "../ui/controls/menu.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import {
  copySessionId,
  forkSession,
  openSessionDialog,
  releaseSession,
  type SessionDialog,
  sessionDialog,
} from "./session-actions.ts";

/** Dialogs of the menu, fetched on first use. */
const dialogs = {
  handOff: lazyView(async () => ({ default: (await import("../handoff/handoff-dialog.tsx")).HandoffDialog })),
  exportSession: lazyView(async () => ({ default: (await import("../transfer/export-dialog.tsx")).ExportDialog })),
  folders: lazyView(async () => ({ default: (await import("./folders-dialog.tsx")).FoldersDialog })),
  context: lazyView(async () => ({ default: (await import("./context-dialog.tsx")).ContextDialog })),
  lead: lazyView(async () => ({ default: (await import("./lead-dialog.tsx")).LeadDialog })),
  budget: lazyView(async () => ({ default: (await import("../limits/budget-dialog.tsx")).BudgetDialog })),
  revert: lazyView(async () => {
    const { RevertDialog } = await import("../transcript/items/turn/revert-dialog.tsx");
    return {
      default: ({ session: { id, lastTurn }, onClose }: { session: SessionView; onClose: () => void }) =>
        lastTurn ? <RevertDialog session={id} turn={lastTurn.id} onClose={onClose} /> : null,
    };
  }),
  remove: DeleteDialog,
};

/** Further actions on a session. */
export function SessionMenu({ session }: { session: SessionView }) {
  const opened = useCell(sessionDialog);
  const openDialog = (dialog: SessionDialog) => openSessionDialog(session, dialog);
  const OpenDialog = opened?.session === session.id ? dialogs[opened.dialog] : undefined;
  const dialogEntries: MenuEntry[] = [
    { label: "Hand off…", icon: <Forward size={14} />, run: () => openDialog("handOff") },
    { label: "Export…", icon: <Download size={14} />, run: () => openDialog("exportSession") },
    { label: "Folders…", icon: <FolderPlus size={14} />, run: () => openDialog("folders") },
    { label: "Context…", icon: <ChartPie size={14} />, run: () => openDialog("context") },
    { label: "Budget…", icon: <Gauge size={14} />, run: () => openDialog("budget") },
    { label: "Lead…", icon: <Crown size={14} />, run: () => openDialog("lead") },
  ];
  const entries = [...dialogEntries, ...useEntries(session), deleteEntry(() => openDialog("remove"))];
  return (
    <>
      <Menu label="Session menu" icon={<Ellipsis size={16} />} entries={entries} />
      {OpenDialog && <OpenDialog session={session} onClose={() => sessionDialog.set(undefined)} />}
    </>
  );
}

function useEntries(session: SessionView): MenuEntry[] {
  const { id, archived } = session;
  const row = useCell(agents).find((known) => known.id === session.agent);
  const running = session.turn !== undefined;
  return [
    {
      label: archived ? "Unarchive" : "Archive",
      icon: archived ? <ArchiveRestore size={14} /> : <Archive size={14} />,
      disabled: running && !archived,
      run: () => void archiveSession(session, !archived),
    },
    {
      label: "Fork",
      icon: <GitFork size={14} />,
      disabled: !row?.fork || running,
      run: () => forkSession(id),
    },
    {
      label: "Time travel",
      icon: <History size={14} />,
      run: () => enterPast(id, session.lastSeq),
    },
    {
      label: "Release agent process",
      icon: <PowerOff size={14} />,
      disabled: running,
      run: () => releaseSession(id),
    },
    {
      label: "Copy session ID",
      icon: <Clipboard size={14} />,
      run: () => copySessionId(id),
    },
  ];
}

function deleteEntry(run: () => void): MenuEntry {
  return { label: "Delete…", icon: <Trash2 size={14} />, danger: true, run };
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
      title="Delete session"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" onClick={() => void remove().catch(toastError)}>
            Delete permanently
          </Button>
        </>
      }
    >
      <p>
        This stops <b className="font-semibold">{session.title}</b> and deletes its log, recordings and drafts. Files
        that the agent wrote remain. This cannot be undone. To hide the session instead, archive it.
      </p>
    </Dialog>
  );
}
