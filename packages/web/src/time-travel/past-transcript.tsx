import { useCallback, useMemo, useState } from "react";
import { Virtualizer } from "virtua";
import { useCell } from "../store/cell.ts";
import { foldRows } from "../transcript/rows/fold.ts";
import type { Row } from "../transcript/rows/row.ts";
import { isOpen, type ShownRow, shownRows } from "../transcript/rows/shown-rows.ts";
import { TranscriptProvider } from "../transcript/view/context.ts";
import { RowView } from "../transcript/view/row-view.tsx";
import { TranscriptWindow } from "../transcript/window/window.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { PastInput } from "./past-input.tsx";
import { PAGE } from "./past-log.ts";
import { usePastEvents } from "./use-past.ts";
import { usePastScroll } from "./use-past-scroll.ts";

const RawDialog = lazyView(async () => ({ default: (await import("../transcript/view/raw-dialog.tsx")).RawDialog }));

const FIRST_PAGES = 2;

/** Rows whose buttons would act on the present. */
const INERT: ReadonlySet<Row["kind"]> = new Set(["error", "limit", "stalled"]);

/** The transcript of a session up to an event, which is its last row. */
export function PastTranscript({ session, seq }: { session: string; seq: number }) {
  const [pages, setPages] = useState(FIRST_PAGES);
  const { value: events, error } = usePastEvents(session, seq, pages);
  const [raw, showRaw] = useState<Row>();
  // Only its openness is used: which rows are open stays the same while the moment moves.
  const window = useMemo(() => new TranscriptWindow(async () => ({ events: [], lastSeq: 0 })), []);
  const openness = useCell(window.openness);
  const toggle = useCallback(
    (key: string, open: boolean) =>
      window.openness.update((all) => ({ ...all, chosen: new Map(all.chosen).set(key, open) })),
    [window],
  );
  const fold = useMemo(() => foldRows(events ?? []), [events]);
  const rows = useMemo(() => shownRows(fold.tree, openness), [fold, openness]);
  const shared = useMemo(() => ({ session, window, toggle, showRaw }), [session, window, toggle]);
  const { scroller, shift, onScroll, onResize } = usePastScroll(rows, seq);
  const loadOlder = () => {
    const isStart = !events || (events[0]?.seq ?? 1) <= 1;
    // A page that is still loading is not asked for again.
    if (!isStart && events.length > (pages - 1) * PAGE - PAGE) setPages(pages + FIRST_PAGES);
  };
  return (
    <TranscriptProvider value={shared}>
      {error !== undefined && !events && <LoadError error={error} onRetry={() => setPages(pages + 1)} />}
      <div
        ref={scroller}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        className="min-h-0 grow overflow-y-auto overscroll-contain pb-4 outline-none [overflow-anchor:none]"
      >
        <Virtualizer data={rows} shift={shift} onScroll={() => onScroll(loadOlder)} onResize={onResize}>
          {(shown: ShownRow) => <PastRow key={shown.row.key} shown={shown} open={isOpen(shown.row, openness)} />}
        </Virtualizer>
      </div>
      {raw && <RawDialog session={session} events={raw.events} onClose={() => showRaw(undefined)} />}
    </TranscriptProvider>
  );
}

function PastRow({ shown: { row, depth, childCount }, open }: { shown: ShownRow; open: boolean }) {
  if (row.kind === "input" && !row.resolution)
    return (
      <div className="mx-auto w-full max-w-[56rem] px-6 py-2">
        <PastInput input={row.request} />
      </div>
    );
  return (
    <div inert={INERT.has(row.kind)}>
      <RowView row={row} depth={depth} childCount={childCount} open={open} selected={false} marked={false} />
    </div>
  );
}
