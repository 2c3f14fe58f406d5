import { useCallback, useMemo, useState } from "react";
import { type CustomItemComponentProps, Virtualizer } from "virtua";
import { useCell } from "../store/cell.ts";
import { classes } from "../ui/classes.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";
import type { Row, UserRow } from "./rows/row.ts";
import { isOpen, type ShownRow, shownRows } from "./rows/shown-rows.ts";
import { ActivityLine } from "./view/activity-line.tsx";
import { type TranscriptContext, TranscriptProvider } from "./view/context.ts";
import { LatestButton } from "./view/latest-button.tsx";
import { RowView } from "./view/row-view.tsx";
import { useArrival } from "./view/use-arrival.ts";
import { useOpenRows } from "./view/use-open-rows.ts";
import { usePlace } from "./view/use-place.ts";
import { useRowKeys } from "./view/use-row-keys.ts";
import { useScroll } from "./view/use-scroll.ts";
import { type ShownList, useSteps } from "./view/use-steps.ts";
import { useMarkSeen, useUnreadRows } from "./view/use-unread-rows.ts";
import { WindowEdge } from "./view/window-edge.tsx";
import { windowOf } from "./window/window-cache.ts";

const RawDialog = lazyView(async () => ({ default: (await import("./view/raw-dialog.tsx")).RawDialog }));

const ResendDialog = lazyView(async () => ({ default: (await import("./resend/resend-dialog.tsx")).ResendDialog }));

/** The transcript of a session, newest at the end. */
export function Transcript({ session }: { session: string }) {
  const window = useMemo(() => windowOf(session), [session]);
  const toggle = useCallback(
    (key: string, open: boolean) =>
      window.openness.update((openness) => ({ ...openness, chosen: new Map(openness.chosen).set(key, open) })),
    [window],
  );
  const [raw, showRaw] = useState<Row>();
  const [edited, resend] = useState<UserRow>();
  const shared = useMemo(() => ({ session, window, toggle, showRaw, resend }), [session, window, toggle]);
  return (
    <TranscriptProvider value={shared}>
      <TranscriptView key={session} {...shared} />
      {raw && <RawDialog session={session} events={raw.events} onClose={() => showRaw(undefined)} />}
      {edited && <ResendDialog key={edited.key} row={edited} onClose={() => resend(undefined)} />}
    </TranscriptProvider>
  );
}

function TranscriptView(shared: TranscriptContext) {
  const { session, window } = shared;
  const { end, range } = useCell(window.state);
  const openness = useCell(window.openness);
  const place = usePlace(window);
  const rows = useTargetRows(shared);
  const list = useSteps({ rows, openness, atEnd: place === undefined && window.following });
  const scroll = useScroll(window, list, place !== undefined && place.key === undefined);
  const settled = useArrival(place, list, scroll);
  const unread = useUnreadRows(list.rows, scroll.following);
  const toLatest = async () => {
    await window.loadLatest();
    scroll.toEnd();
  };
  const selected = useRowKeys(shared, { rows: list.rows, ...scroll, toEnd: () => void toLatest() });
  useMarkSeen(session, scroll.following && window.atEnd ? end : 0);
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <WindowEdge window={window} />
      <div
        ref={scroll.scroller}
        role="log"
        aria-label="Transcript"
        aria-live="off"
        data-events={range.length}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        className={classes(
          "min-h-0 grow overflow-y-auto overscroll-contain pb-4 outline-none [overflow-anchor:none]",
          !settled && !list.partial && "opacity-0",
        )}
      >
        <Virtualizer
          key={list.epoch}
          ref={scroll.list}
          data={list.rows}
          shift={list.shift}
          item={ListItem}
          keepMounted={rowsOfFirstPaint(list)}
          onScroll={scroll.onScroll}
          onResize={scroll.onResize}
        >
          {({ row, ...shown }: ShownRow) => {
            const state = {
              open: isOpen(row, openness),
              selected: row.key === selected,
              marked: row.key === place?.key,
            };
            return <RowView key={row.key} row={row} depth={shown.depth} childCount={shown.childCount} {...state} />;
          }}
        </Virtualizer>
        <ActivityLine session={session} />
      </div>
      {scroll.hasMore && (!scroll.following || !window.atEnd) && (
        <LatestButton unread={unread} onClick={() => void toLatest()} />
      )}
    </div>
  );
}

/** Rows that are rendered at once, before the list has measured the viewport. */
function rowsOfFirstPaint({ partial, rows }: ShownList): number[] | undefined {
  return partial ? [...rows.keys()] : undefined;
}

/**
 * An item of the virtual list. The list would hide it until it is measured, which happens before the paint; showing it again
 * would then compute the styles of everything in it a second time.
 */
function ListItem({ style: { visibility: _, ...style }, ref, children }: CustomItemComponentProps) {
  return (
    <div ref={ref} style={style}>
      {children}
    </div>
  );
}

/** The rows to show: those of the log, followed by items that are still streaming. */
function useTargetRows({ session, window }: TranscriptContext): readonly ShownRow[] {
  const { fold, version } = useCell(window.state);
  const openness = useCell(window.openness);
  const open = useOpenRows(session, fold.tree, version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fold is mutated as it grows; its version changes.
  return useMemo(() => shownRows(fold.tree, openness, open), [fold, version, openness, open]);
}
