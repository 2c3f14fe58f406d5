import type { FileChange } from "@gantry/protocol";
import { GitFork, Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { withPatch } from "../../../diff/split-patch.ts";
import { client } from "../../../store/connection/client.ts";
import { storeSession } from "../../../store/sessions/sessions.ts";
import { toastError } from "../../../store/toasts.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { lazyView } from "../../../ui/load/lazy-view.tsx";
import { useQuery } from "../../../ui/load/use-query.ts";
import { useTranscript } from "../../view/context.ts";
import { Changes } from "./changes.tsx";

const RevertDialog = lazyView(async () => ({ default: (await import("./revert-dialog.tsx")).RevertDialog }));

type TurnChangesProps = {
  turn: string;
  /** The sequence number of the event that ended the turn. */
  end: number;
  changes: readonly FileChange[];
  /** Files that another session may have changed. */
  unattributed: readonly FileChange[];
};

/** The changes of a turn from its checkpoints, with buttons to revert and fork. */
export function TurnChanges({ turn, end, changes, unattributed }: TurnChangesProps) {
  const { session } = useTranscript();
  const { value, error } = useQuery(turn, () => client.call("turnDiff", { params: { id: session, turn }, query: {} }));
  const [reverting, setReverting] = useState(false);
  const [, go] = useLocation();
  const [shown, others] = useMemo(() => {
    const isOther = ({ path }: FileChange) => unattributed.some((file) => file.path === path);
    const all = value ? withPatch(value.files, value.patch) : [...changes, ...unattributed];
    return [all.filter((file) => !isOther(file)), all.filter(isOther)];
  }, [value, changes, unattributed]);
  const fork = async () => {
    const next = await client.sessions.fork(session, { at: end });
    storeSession(next);
    go(`/s/${next.id}`);
  };
  return (
    <>
      <div className="mb-1.5 flex flex-wrap items-center gap-1.5 text-soft">
        <Button icon={<Undo2 size={14} />} onClick={() => setReverting(true)}>
          Revert…
        </Button>
        <Button icon={<GitFork size={14} />} onClick={() => fork().catch(toastError)}>
          Fork from here
        </Button>
        {error !== undefined && <span>The diff is no longer available: {messageOf(error)}</span>}
      </div>
      <Changes changes={shown} />
      {others.length > 0 && (
        <>
          <p className="mt-2 mb-1 text-need">
            Other sessions worked in this folder at the same time. They may have changed these files:
          </p>
          <Changes changes={others} />
        </>
      )}
      {value?.cut && <p className="mt-1 text-soft">The diff is too large and was cut.</p>}
      {reverting && <RevertDialog session={session} turn={turn} onClose={() => setReverting(false)} />}
    </>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
