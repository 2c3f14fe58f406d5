import { type Changes, GantryError, openComments, type SessionView } from "@gantry/protocol";
import { Columns2, ListTree, RefreshCw, Rows2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { PanelViewProps } from "../panel/panel-tab.ts";
import { useCellPart } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { newId, sendMessage } from "../store/outgoing/outbox.ts";
import { preferences, setPreference } from "../store/preferences.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ChangeList } from "./change-list.tsx";
import { GitBar } from "./git/git-bar.tsx";
import { scopeOptions, useChanges } from "./use-changes.ts";

/** What the session changed: a list of files with their lines, comments, and what follows. */
export default function ReviewView({ session, isSheet }: PanelViewProps) {
  const { value: changes, error, loading, reload, scope, setScope } = useChanges(session);
  const { plan, onChanged } = useCommitPlan(session.id, changes?.to, reload);
  const preferred = useCellPart(preferences, (all) => all.diff);
  const [tree, setTree] = useState(false);
  const list = useRef<VirtualizerHandle>(null);
  const layout = isSheet ? "unified" : preferred;
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
        <Select
          label="Compared with"
          value={scope}
          choices={scopeOptions(changes?.turns ?? [], {
            isRunning: session.turn !== undefined,
            hasStaged: scope.endsWith("staged") || (plan?.staged.length ?? 0) > 0,
          })}
          onChoose={setScope}
          className="min-w-0"
        />
        <span className="grow" />
        <Button
          look={tree ? "plain" : "quiet"}
          label="Files"
          aria-pressed={tree}
          icon={<ListTree size={15} />}
          onClick={() => setTree(!tree)}
        />
        {!isSheet && (
          <Button
            look="quiet"
            label={layout === "split" ? "Show unified" : "Show side by side"}
            icon={layout === "split" ? <Rows2 size={15} /> : <Columns2 size={15} />}
            onClick={() => setPreference("diff", layout === "split" ? "unified" : "split")}
          />
        )}
        <Button look="quiet" label="Refresh" icon={<RefreshCw size={14} />} disabled={loading} onClick={reload} />
      </div>
      {changes && <Totals changes={changes} />}
      {!changes && error !== undefined && <NoChanges error={error} />}
      {!changes && error === undefined && <p className="m-auto text-faint">Comparing files…</p>}
      {changes && (
        <ChangeList
          session={session}
          changes={changes}
          layout={layout}
          showTree={tree}
          onTreeChoice={() => isSheet && setTree(false)}
          list={list}
          staged={plan?.staged}
          onChanged={onChanged}
        />
      )}
      <CommentBar session={session} />
      {plan && <GitBar session={session} plan={plan} onChanged={onChanged} />}
    </>
  );
}

/** What a commit would be, loaded with each list of changes. `onChanged` loads both again. */
function useCommitPlan(session: string, version: string | undefined, reload: () => void) {
  const { value: plan, reload: reloadPlan } = useQuery(`${session} ${version}`, async () =>
    version === undefined ? undefined : client.changes.commitPlan(session),
  );
  const onChanged = useCallback(() => {
    reload();
    reloadPlan();
  }, [reload, reloadPlan]);
  return { plan, onChanged };
}

function Totals({ changes: { total, live, cut } }: { changes: Changes }) {
  const { files, additions, deletions } = total;
  return (
    <p className="flex shrink-0 gap-2 border-b border-line px-3 py-1 text-xs text-soft">
      <span>{files === 1 ? "1 file" : `${files.toLocaleString("en")} files`}</span>
      <span className="tabular-nums">
        <span className="text-good">+{additions.toLocaleString("en")}</span>{" "}
        <span className="text-bad">−{deletions.toLocaleString("en")}</span>
      </span>
      {live && <span className="text-faint">A turn is running. Files may change.</span>}
      {cut && <span className="text-faint">Only the first files are listed.</span>}
    </p>
  );
}

/** Why there are no changes to show, such as a folder without git. */
function NoChanges({ error }: { error: unknown }) {
  const remedy = error instanceof GantryError ? error.remedy : undefined;
  return (
    <div className="m-auto max-w-sm p-6 text-center text-sm">
      <p className="text-soft">{error instanceof Error ? error.message : String(error)}</p>
      {remedy && <p className="mt-2 text-faint">{remedy}</p>}
    </div>
  );
}

/** How many comments wait for the next message, and a button that sends them at once. */
function CommentBar({ session }: { session: SessionView }) {
  const count = openComments(session).length;
  if (count === 0) return null;
  const send = () =>
    void sendMessage(session.id, { id: newId("message"), text: "Please address these comments." }).catch(toastError);
  return (
    <footer className="flex shrink-0 items-center gap-2 border-t border-line px-3 py-2 text-sm">
      <span className="min-w-0 grow text-soft">
        {count === 1 ? "1 comment goes" : `${count} comments go`} with your next message.
      </span>
      <Button look="primary" onClick={send}>
        Send now
      </Button>
    </footer>
  );
}
