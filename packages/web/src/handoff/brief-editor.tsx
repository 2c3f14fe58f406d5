import type { HandoffPlan } from "@gantry/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../ui/controls/button.tsx";
import { fieldLook } from "../ui/controls/field.tsx";

type BriefEditorProps = {
  brief: string;
  edited: boolean;
  receipts: HandoffPlan["receipts"];
  /** `undefined` goes back to the words that were made from the log. */
  onChange: (brief: string | undefined) => void;
  /** Someone follows a receipt into the transcript. */
  onSeen: () => void;
};

/** The words that the next agent gets, to be read, corrected and traced to where they come from. */
export function BriefEditor({ brief, edited, receipts, onChange, onSeen }: BriefEditorProps) {
  const [shown, setShown] = useState(false);
  return (
    <section aria-label="Brief">
      <div className="flex items-center gap-2 pb-1">
        <h3 className="grow text-xs font-medium text-soft">
          Brief{edited && <span className="font-normal text-need"> · in your words</span>}
        </h3>
        {edited && (
          <Button look="quiet" onClick={() => onChange(undefined)}>
            As it was made
          </Button>
        )}
        <Button look="quiet" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {receipts.length} receipts
        </Button>
      </div>
      <textarea
        aria-label="Brief"
        rows={14}
        value={brief}
        onChange={(event) => onChange(event.target.value)}
        className={`${fieldLook} h-auto w-full resize-y py-1.5 font-mono text-xs leading-5`}
      />
      {shown && <Receipts receipts={receipts} onSeen={onSeen} />}
    </section>
  );
}

function Receipts({ receipts, onSeen }: Pick<BriefEditorProps, "receipts" | "onSeen">) {
  const [here] = useLocation();
  return (
    <ul aria-label="Receipts" className="mt-1.5 max-h-56 overflow-y-auto">
      {receipts.map(({ line, seq }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same of the same event.
        <li key={index} className="flex gap-2">
          <a
            href={`${here}#${seq}`}
            onClick={onSeen}
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
