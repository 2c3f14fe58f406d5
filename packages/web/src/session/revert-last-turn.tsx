import type { SessionView } from "@gantry/protocol";
import { RevertDialog } from "../transcript/items/turn/revert-dialog.tsx";

/** The revert dialog of the session's last turn. */
export function RevertLastTurn({ session, onClose }: { session: SessionView; onClose: () => void }) {
  if (!session.lastTurn) return null;
  return <RevertDialog session={session.id} turn={session.lastTurn.id} onClose={onClose} />;
}
