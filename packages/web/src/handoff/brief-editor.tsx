import type { HandoffPlan } from "@gantry/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../ui/controls/button.tsx";
import { fieldLook } from "../ui/controls/field.tsx";

type BriefEditorProps = {
  brief: string;
  edited: boolean;
  receipts: HandoffPlan["receipts"];
  /** `undefined` restores the generated brief. */
  onChange: (brief: string | undefined) => void;
  /** Called when a link to a source in the transcript is followed. */
  onFollow: () => void;
};

/** The brief for the next agent, editable, with links to the events it was made from. */
export function BriefEditor({ brief, edited, receipts, onChange, onFollow }: BriefEditorProps) {
  const [shown, setShown] = useState(false);
  return (
    <section aria-label="Brief">
      <div className="flex items-center gap-2 pb-1">
        <h3 className="grow text-xs font-medium text-soft">
          Brief{edited && <span className="font-normal text-need"> · edited</span>}
        </h3>
        {edited && (
          <Button look="quiet" onClick={() => onChange(undefined)}>
            Reset
          </Button>
        )}
        <Button look="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {receipts.length} {receipts.length === 1 ? "source" : "sources"}
        </Button>
      </div>
      <textarea
        aria-label="Brief"
        rows={14}
        value={brief}
        onChange={(event) => onChange(event.target.value)}
        className={`${fieldLook} h-auto w-full resize-y py-1.5 font-mono text-xs leading-5`}
      />
      {shown && <Sources receipts={receipts} onFollow={onFollow} />}
    </section>
  );
}

function Sources({ receipts, onFollow }: Pick<BriefEditorProps, "receipts" | "onFollow">) {
  const [here] = useLocation();
  return (
    <ul aria-label="Sources" className="mt-1.5 max-h-56 overflow-y-auto">
      {receipts.map(({ line, seq }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be identical.
        <li key={index} className="flex gap-2">
          <a
            href={`${here}#${seq}`}
            onClick={onFollow}
            className="w-12 shrink-0 text-right font-mono text-xs leading-5 text-accent hover:underline"
          >
            #{seq}
          </a>
          <span className="min-w-0 truncate text-soft">{line}</span>
        </li>
      ))}
    </ul>
  );
}
