import { Braces, Copy, History, Link2 } from "lucide-react";
import { toast, toastError } from "../../store/toasts.ts";
import { enterPast } from "../../time-travel/past-address.ts";
import { Button } from "../../ui/controls/button.tsx";
import { type Row, rowSeq } from "../rows/row.ts";
import { rowText } from "../rows/row-text.ts";
import { useTranscript } from "./context.ts";

/** The toolbar of a row, floating over its corner. */
export function RowActions({ row }: { row: Row }) {
  const { session, showRaw } = useTranscript();
  return (
    <div className="absolute -top-3 right-4 z-10 flex rounded-md border border-line bg-raised shadow-raised">
      <Button look="quiet" label="Copy" icon={<Copy size={13} />} onClick={() => copyRow(row)} />
      <Button look="quiet" label="Copy link" icon={<Link2 size={13} />} onClick={() => linkToRow(session, row)} />
      <Button
        look="quiet"
        label="Time travel to here"
        icon={<History size={13} />}
        onClick={() => enterPast(session, row.events.at(-1)?.seq ?? 1)}
      />
      <Button look="quiet" label="Raw events" icon={<Braces size={13} />} onClick={() => showRaw(row)} />
    </div>
  );
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
