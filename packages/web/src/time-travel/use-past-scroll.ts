import { type RefObject, useLayoutEffect, useRef } from "react";
import type { ShownRow } from "../transcript/rows/shown-rows.ts";

/** Distance in pixels from the start at which older rows are loaded. */
const NEAR_START = 1500;
const NEAR_END = 24;

type PastScroll = {
  scroller: RefObject<HTMLDivElement | null>;
  /** Whether rows were added at the front: the list then keeps its position. */
  shift: boolean;
  onScroll: (loadOlder: () => void) => void;
  onResize: () => void;
};

/** Each moment is shown at its end, until the user scrolls away. */
export function usePastScroll(rows: readonly ShownRow[], seq: number): PastScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const last = useRef(0);
  const before = useRef(rows);
  const shift = isGrownAtFront(before.current, rows);
  const holdEnd = () => {
    if (follows.current && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment is shown at its end again.
  useLayoutEffect(() => {
    follows.current = true;
  }, [seq]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the rows may move the end.
  useLayoutEffect(() => {
    before.current = rows;
    holdEnd();
  }, [rows]);
  const onScroll = (loadOlder: () => void) => {
    const { current } = scroller;
    if (!current) return;
    const left = current.scrollHeight - current.clientHeight - current.scrollTop;
    if (current.scrollTop < last.current && left >= NEAR_END) follows.current = false;
    last.current = current.scrollTop;
    if (!follows.current && current.scrollTop < NEAR_START) loadOlder();
  };
  return { scroller, shift, onScroll, onResize: holdEnd };
}

function isGrownAtFront(before: readonly ShownRow[], now: readonly ShownRow[]): boolean {
  const first = before[0]?.row.key;
  return first !== undefined && now[0]?.row.key !== first && now.at(-1)?.row.key === before.at(-1)?.row.key;
}
