import type { LaneSuggestion, LaneUndo } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { formatBytes } from "../ui/display/format.ts";
import { RemoveDialog } from "./dialogs/remove-dialog.tsx";
import { freeableBytes } from "./lane-text.ts";

type CleanUpProps = {
  suggestions: readonly LaneSuggestion[];
  undos: readonly LaneUndo[];
  onChanged: () => void;
};

/** Lanes that can be removed, and removed lanes that can be restored. */
export function CleanUp({ suggestions, undos, onChanged }: CleanUpProps) {
  return (
    <>
      {suggestions.length > 0 && <Suggestions suggestions={suggestions} onChanged={onChanged} />}
      {undos.length > 0 && <Removed undos={undos} onChanged={onChanged} />}
    </>
  );
}

function Suggestions({ suggestions, onChanged }: Omit<CleanUpProps, "undos">) {
  const [removing, setRemoving] = useState<LaneSuggestion["lane"]>();
  const size = freeableBytes(suggestions);
  const done = () => {
    setRemoving(undefined);
    onChanged();
  };
  return (
    <section aria-label="Clean-up">
      <h2 className="pb-2 font-semibold">
        Clean up{size > 0 && <span className="font-normal text-soft"> · {formatBytes(size)}</span>}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {suggestions.map(({ lane, reasons, safe }) => (
          <li key={lane.id} className="flex items-center gap-3 px-3 py-1.5">
            <span className="min-w-0 grow">
              <span className="font-medium">{lane.name}</span>{" "}
              <span className="text-soft">{reasons.map(({ text }) => text).join(" ")}</span>
            </span>
            {!safe && <span className="shrink-0 text-xs text-need">has unmerged work</span>}
            <Button onClick={() => setRemoving(lane)}>Remove…</Button>
          </li>
        ))}
      </ul>
      {removing && <RemoveDialog lane={removing} onClose={() => setRemoving(undefined)} onRemoved={done} />}
    </section>
  );
}

function Removed({ undos, onChanged }: Omit<CleanUpProps, "suggestions">) {
  const restore = (undo: LaneUndo) =>
    client.call("undoLane", { params: { id: undo.lane }, body: { ref: undo.ref } }).then(() => {
      toast({ tone: "info", text: `Restored ${undo.name}.` });
      onChanged();
    }, toastError);
  return (
    <section aria-label="Removed lanes">
      <h2 className="pb-2 font-semibold">Recently removed</h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {undos.map((undo) => (
          <li key={undo.ref} className="flex items-center gap-3 px-3 py-1.5">
            <span className="min-w-0 grow truncate">
              <span title={undo.ref}>{undo.name}</span>
            </span>
            <Ago at={undo.removedAt} className="text-xs text-faint" />
            <Button onClick={() => void restore(undo)}>Restore</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
