import type { QueuedMessage } from "@gantry/protocol";
import { ArrowDown, ArrowUp, ArrowUpToLine, CornerDownRight, OctagonX, Paperclip, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Menu } from "../../ui/controls/menu.tsx";

type QueueEntryProps = {
  entry: QueuedMessage;
  position: number;
  count: number;
  onMove: (position: number) => void;
  onEdit: (text: string) => void;
  /** Whether it can be sent into the running turn. */
  steers: boolean;
  /** Sends it now. */
  onSend: (delivery: "steer" | "interrupt") => void;
  onCancel: () => void;
  onDrag: () => void;
  onDrop: () => void;
};

/** One queued message. Alt with an arrow key moves it, Enter edits it, Delete cancels it. */
export function QueueEntry(props: QueueEntryProps) {
  const { entry, position, onMove, onEdit, onCancel, onDrag, onDrop } = props;
  const [editing, setEditing] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && event.altKey) onMove(position + step);
    else if (event.key === "Delete") onCancel();
    else return;
    event.preventDefault();
  };
  const edit = (text: string | undefined) => {
    setEditing(false);
    if (text !== undefined && text !== entry.text) onEdit(text);
  };
  return (
    <li
      data-message={entry.message}
      draggable={!editing}
      onDragStart={onDrag}
      onDragOver={(event) => !event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={onDrop}
      className="group flex min-h-8 items-center gap-1 rounded-md pl-2 hover:bg-hover focus-within:bg-hover"
    >
      <span className="w-4 shrink-0 text-2xs text-faint tabular-nums">{position + 1}</span>
      {editing ? (
        <EntryEditor text={entry.text} onDone={edit} />
      ) : (
        <>
          <button
            type="button"
            data-row
            title="Edit. Alt with an arrow key moves it, Delete cancels it."
            onClick={() => setEditing(true)}
            onKeyDown={onKeyDown}
            className="min-w-0 grow truncate rounded px-1 py-1 text-left text-soft"
          >
            {entry.text}
          </button>
          {entry.attachments.length > 0 && (
            <span className="flex shrink-0 items-center gap-0.5 px-1 text-2xs text-faint">
              <Paperclip size={11} aria-label="Attachments:" />
              {entry.attachments.length}
            </span>
          )}
          <EntryButtons {...props} onEdit={() => setEditing(true)} />
        </>
      )}
    </li>
  );
}

type EntryButtonsProps = Omit<QueueEntryProps, "onEdit"> & { onEdit: () => void };

function EntryButtons({ position, count, steers, onSend, onMove, onCancel, onEdit }: EntryButtonsProps) {
  const interrupt = { label: "Stop the turn and send", icon: <OctagonX size={14} />, run: () => onSend("interrupt") };
  const steer = { label: "Steer the running turn", icon: <CornerDownRight size={14} />, run: () => onSend("steer") };
  return (
    <>
      {steers ? (
        <Menu label="Send now" icon={<ArrowUpToLine size={13} />} entries={[steer, interrupt]} />
      ) : (
        <Button look="quiet" label="Send now" icon={<ArrowUpToLine size={13} />} onClick={() => onSend("interrupt")} />
      )}
      <Button look="quiet" label="Edit" icon={<Pencil size={13} />} onClick={onEdit} />
      <Button
        look="quiet"
        label="Move up"
        icon={<ArrowUp size={13} />}
        disabled={position === 0}
        onClick={() => onMove(position - 1)}
      />
      <Button
        look="quiet"
        label="Move down"
        icon={<ArrowDown size={13} />}
        disabled={position === count - 1}
        onClick={() => onMove(position + 1)}
      />
      <Button look="quiet" label="Cancel" icon={<X size={14} />} onClick={onCancel} />
    </>
  );
}

/** Enter saves the new text. Escape, or an empty text, restores the old one. */
function EntryEditor({ text, onDone }: { text: string; onDone: (text: string | undefined) => void }) {
  const [value, setValue] = useState(text);
  const done = () => onDone(value.trim() === "" ? undefined : value);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onDone(undefined);
    else if (event.key === "Enter" && !event.shiftKey) done();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it replaces the control that was just activated.
        autoFocus
        aria-label="Queued message"
        rows={Math.min(value.split("\n").length, 8)}
        value={value}
        onFocus={(event) => event.target.setSelectionRange(value.length, value.length)}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={onKeyDown}
        className="my-1 field-sizing-content min-w-0 grow resize-none rounded border border-line-strong bg-surface px-1.5 py-0.5"
      />
      <Button look="plain" onClick={done}>
        Save
      </Button>
      <Button look="quiet" onClick={() => onDone(undefined)}>
        Discard
      </Button>
    </>
  );
}
