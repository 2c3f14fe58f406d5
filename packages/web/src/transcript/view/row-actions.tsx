import { Braces, Copy, Ellipsis, History, Link2, Pencil } from "lucide-react";
import { toast, toastError } from "../../store/toasts.ts";
import { enterPast } from "../../time-travel/past-address.ts";
import { Menu, type MenuEntry } from "../../ui/controls/menu.tsx";
import { type Row, rowSeq, type UserRow } from "../rows/row.ts";
import { rowText } from "../rows/row-text.ts";
import { useTranscript } from "./context.ts";

/** The menu of a row, in the gutter next to it. */
export function RowActions({ row }: { row: Row }) {
  const { session, showRaw, resend } = useTranscript();
  const entries: MenuEntry[] = [
    { label: "Copy", icon: <Copy size={14} />, run: () => copyRow(row) },
    { label: "Copy link", icon: <Link2 size={14} />, run: () => linkToRow(session, row) },
    ...(resend && isResendable(row)
      ? [{ label: "Edit and resend…", icon: <Pencil size={14} />, run: () => resend(row) }]
      : []),
    {
      label: "Time travel to here",
      icon: <History size={14} />,
      run: () => enterPast(session, row.events.at(-1)?.seq ?? 1),
    },
    { label: "Raw events", icon: <Braces size={14} />, run: () => showRaw(row) },
  ];
  return (
    <div className="absolute top-0.5 right-1.5 flex pointer-coarse:right-0">
      <Menu
        label="Row actions"
        icon={<Ellipsis size={14} />}
        entries={entries}
        className="!size-6 pointer-coarse:!size-9 pointer-coarse:!min-h-9 pointer-coarse:!min-w-9"
      />
    </div>
  );
}

/** A message of a person that has reached the agent. One in the queue is edited there. */
function isResendable(row: Row): row is UserRow {
  return row.kind === "user" && row.author === "user" && row.delivery !== "queued" && row.delivery !== "sent";
}

export function copyRow(row: Row): void {
  void copyText(rowText(row), "Copied.");
}

/** Copies the address of a row to the clipboard and sets it in the address bar. */
export function linkToRow(session: string, row: Row): void {
  const seq = rowSeq(row);
  if (seq === undefined) return;
  // With several sessions side by side the address is their arrangement.
  if (location.pathname === `/s/${session}`) history.replaceState(history.state, "", `/s/${session}#${seq}`);
  void copyText(`${location.origin}/s/${session}#${seq}`, "Link copied.");
}

async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ tone: "info", text: done }, 1500);
  } catch (error) {
    toastError(error);
  }
}
