import type { SessionView } from "@gantry/protocol";
import { toast } from "../../store/toasts.ts";
import { Badge } from "../../ui/display/badge.tsx";
import { modeNames } from "./choices.ts";

/**
 * Shown while the session is in a mode that the agent's own configuration can override. The reason is its tooltip; a click
 * shows it too, because touch screens and keyboards have no tooltip.
 */
export function UnenforcedBadge({ session, className }: { session: SessionView; className?: string }) {
  const { mode, modeApplied = mode, unenforced } = session;
  const reason = unenforced?.[modeApplied];
  if (!reason) return null;
  const text = `${modeNames[modeApplied]} cannot be enforced`;
  return (
    <button
      type="button"
      title={reason}
      onClick={() => toast({ tone: "info", text: `${text}.`, remedy: reason })}
      className={className}
    >
      <Badge tone="need">{text}</Badge>
    </button>
  );
}
