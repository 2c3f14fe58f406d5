import { useEffect, useLayoutEffect, useState } from "react";
import type { Place } from "./use-place.ts";
import type { Scroll } from "./use-scroll.ts";
import type { ShownList } from "./use-steps.ts";

const ABOVE = 48;

/**
 * Scrolls to the row that the address points to, once per address. Returns whether the list is in position; until then it
 * stays invisible, so that it does not visibly jump.
 */
export function useArrival(place: Place | undefined, { rows, epoch }: ShownList, scroll: Scroll): boolean {
  const [arrived, setArrived] = useState<Place>();
  const [settled, setSettled] = useState(-1);
  const { list, release } = scroll;
  useLayoutEffect(() => {
    if (!place?.key || place === arrived) return;
    const index = rows.findIndex(({ row }) => row.key === place.key);
    if (index < 0) return;
    release();
    list.current?.scrollToIndex(index, { align: "start", offset: -ABOVE });
    setArrived(place);
  }, [place, arrived, rows, list, release]);
  const hasRows = rows.length > 0;
  useEffect(() => {
    if (hasRows) return afterLayout(() => setSettled(epoch));
  }, [hasRows, epoch]);
  return settled === epoch;
}

/** Rows are measured in their first layout and are positioned correctly in the next frame. */
function afterLayout(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  // A hidden page gets no animation frames, so fall back to a timer.
  const timer = setTimeout(run, 200);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
