import { type Changes, GantryError, openComments, type SessionView } from "@gantry/protocol";
import { Columns2, ListTree, RefreshCw, Rows2, X } from "lucide-react";
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import type { VirtualizerHandle } from "virtua";
import { useCell, useCellPart } from "../store/cell.ts";
import { newId, sendMessage } from "../store/outgoing/outbox.ts";
import { preferences, setPreference } from "../store/preferences.ts";
import { toastError } from "../store/toasts.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { ResizeHandle } from "../ui/controls/resize-handle.tsx";
import { Select } from "../ui/controls/select.tsx";
import { ChangeList } from "./change-list.tsx";
import { GitBar } from "./git/git-bar.tsx";
import { reviewWidth } from "./panel-state.ts";
import { scopeOptions, useChanges } from "./use-changes.ts";

const MIN_WIDTH = 380;
/** The transcript keeps this width. */
const RESERVED = 640;

const PHONE = matchMedia("(max-width: 767px)");

function onPhoneChange(listener: () => void): () => void {
  PHONE.addEventListener("change", listener);
  return () => PHONE.removeEventListener("change", listener);
}

type ReviewPanelProps = { session: SessionView; onClose: () => void };

/** What the session changed, next to its transcript. A sheet over the whole screen on a phone. */
export default function ReviewPanel({ session, onClose }: ReviewPanelProps) {
  const width = useCell(reviewWidth);
  const isPhone = useSyncExternalStore(onPhoneChange, () => PHONE.matches);
  const close = (event: KeyboardEvent) => {
    if (event.key === "Escape" && isPhone && !event.defaultPrevented) onClose();
  };
  return (
    <>
      {!isPhone && (
        <ResizeHandle
          label="Width of the changes"
          edge="left"
          size={width}
          min={MIN_WIDTH}
          reserved={RESERVED}
          onResize={(to) => reviewWidth.set(to)}
        />
      )}
      <aside
        aria-label="Changes"
        onKeyDown={close}
        style={isPhone ? undefined : { width }}
        className={classes(
          "@container flex min-h-0 flex-col bg-surface",
          isPhone ? "fixed inset-0 z-30" : "max-w-[70vw] shrink-0",
        )}
      >
        <Review session={session} isPhone={isPhone} onClose={onClose} />
      </aside>
    </>
  );
}

function Review({ session, isPhone, onClose }: ReviewPanelProps & { isPhone: boolean }) {
  const { value: changes, error, loading, reload, scope, setScope } = useChanges(session);
  const preferred = useCellPart(preferences, (all) => all.diff);
  const [tree, setTree] = useState(false);
  const list = useRef<VirtualizerHandle>(null);
  const layout = isPhone ? "unified" : preferred;
  return (
    <>
      <header className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
        <h2 className="font-semibold">Changes</h2>
        <Select
          label="Compared with"
          value={scope}
          choices={scopeOptions(changes?.turns ?? [])}
          onChoose={setScope}
          className="ml-1 min-w-0"
        />
        <span className="grow" />
        <Button
          look={tree ? "plain" : "quiet"}
          label="Files"
          aria-pressed={tree}
          icon={<ListTree size={15} />}
          onClick={() => setTree(!tree)}
        />
        {!isPhone && (
          <Button
            look="quiet"
            label={layout === "split" ? "Show unified" : "Show side by side"}
            icon={layout === "split" ? <Rows2 size={15} /> : <Columns2 size={15} />}
            onClick={() => setPreference("diff", layout === "split" ? "unified" : "split")}
          />
        )}
        <Button look="quiet" label="Refresh" icon={<RefreshCw size={14} />} disabled={loading} onClick={reload} />
        <Button look="quiet" label="Close changes" icon={<X size={16} />} onClick={onClose} />
      </header>
      {changes && <Totals changes={changes} />}
      {!changes && error !== undefined && <NoChanges error={error} />}
      {!changes && error === undefined && <p className="m-auto text-faint">Comparing files…</p>}
      {changes && (
        <ChangeList
          session={session}
          changes={changes}
          layout={layout}
          showTree={tree}
          onTreeChoice={() => isPhone && setTree(false)}
          list={list}
          onChanged={reload}
        />
      )}
      <CommentBar session={session} />
      {changes && <GitBar session={session} version={changes.to} onChanged={reload} />}
    </>
  );
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
