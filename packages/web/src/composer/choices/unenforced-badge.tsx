import type { SessionView } from "@gantry/protocol";
import { Badge } from "../../ui/display/badge.tsx";
import { modeNames } from "./choices.ts";

/** Shown while the session is in a mode that the agent's own configuration can override, with the reason. */
export function UnenforcedBadge({ session }: { session: SessionView }) {
  const { mode, modeApplied = mode, unenforced } = session;
  const reason = unenforced?.[modeApplied];
  if (!reason) return null;
  return (
    <Badge tone="need" title={reason}>
      {modeNames[modeApplied]} cannot be enforced
    </Badge>
  );
}
