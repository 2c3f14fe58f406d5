import { Check, X } from "lucide-react";
import { useEffect } from "react";
import { useCell } from "../store/cell.ts";
import type { PendingInput } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { answerBatch, batch, canAnswerInBatch } from "./batch.ts";

type Pending = { pending: readonly PendingInput[] };

/** Selects every request that can be answered without text, or none. */
export function SelectAll({ pending }: Pending) {
  const selected = useCell(batch);
  const ids = pending.filter(({ input }) => canAnswerInBatch(input)).map(({ input }) => input.id);
  if (ids.length < 2) return null;
  const isAll = ids.every((id) => selected.has(id));
  return (
    <Button look="quiet" aria-pressed={isAll} onClick={() => batch.set(new Set(isAll ? [] : ids))}>
      {isAll ? "Select none" : "Select all"}
    </Button>
  );
}

/** One answer for all selected requests. */
export function BatchBar({ pending }: Pending) {
  const selected = useCell(batch);
  const inputs = pending.map(({ input }) => input).filter(({ id }) => selected.has(id));
  useEffect(() => () => batch.set(new Set()), []);
  if (inputs.length === 0) return null;
  const count = inputs.length === 1 ? "1 request" : `${inputs.length} requests`;
  return (
    <div
      role="toolbar"
      aria-label="Selected requests"
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-2 max-sm:px-3"
    >
      <span className="grow font-medium">{count} selected</span>
      <Button look="primary" icon={<Check size={14} />} onClick={() => void answerBatch(inputs, "allow")}>
        Allow selected
      </Button>
      <Button icon={<X size={14} />} onClick={() => void answerBatch(inputs, "deny")}>
        Deny selected
      </Button>
      <Button look="quiet" onClick={() => batch.set(new Set())}>
        Clear
      </Button>
    </div>
  );
}
