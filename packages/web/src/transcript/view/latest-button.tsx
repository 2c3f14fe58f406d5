import { ArrowDown } from "lucide-react";

/** Scrolls to the end and shows how many rows are new there. */
export function LatestButton({ unread, onClick }: { unread: number; onClick: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <button
        type="button"
        onClick={onClick}
        className="pointer-events-auto flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 text-xs font-medium text-ink shadow-raised hover:bg-hover"
      >
        <ArrowDown size={13} aria-hidden="true" />
        Jump to latest
        {unread > 0 && <span className="text-accent">{unread} new</span>}
      </button>
    </div>
  );
}
