import { useEffect, useLayoutEffect, useState } from "react";
import type { Place } from "./use-place.ts";
import type { Scroll } from "./use-scroll.ts";
import type { ShownList } from "./use-steps.ts";

const ABOVE = 48;

/**
 * Brings the row that the address names before the reader, once for each address. Gives whether the list stands where it
 * should: until then it is not shown, so that nobody sees it jump.
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

/** Rows are measured when they are first laid out, and stand right in the frame after that. */
function afterLayout(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  // A page that is not painted has no frames, and is whole all the same when it is looked at.
  const timer = setTimeout(run, 200);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
