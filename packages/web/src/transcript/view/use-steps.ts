import { useEffect, useLayoutEffect, useState } from "react";
import { runAfterPaint } from "../../store/first-paint.ts";
import { lastRows, nextStep, type Step } from "../rows/next-step.ts";
import type { Openness, ShownRow } from "../rows/shown-rows.ts";

/** The header and the composer are at least this high, in pixels. */
const FRAME_HEIGHT = 150;

type Target = {
  rows: readonly ShownRow[];
  openness: Openness;
  /** Whether a new list is shown at its end. */
  atEnd: boolean;
};

export type ShownList = Step & {
  /** Changes when the list has no row in common with the one before; its measurements are then discarded. */
  epoch: number;
  /** Whether the list is new and has only the rows that fill the screen. The others follow after the next paint. */
  partial: boolean;
};

/**
 * Moves the rendered list to the target rows one end at a time, before the next paint. A new list that is shown at its end
 * starts with its last rows, so that the first paint does not wait for rows that are out of view.
 */
export function useSteps(target: Target): ShownList {
  const [list, setList] = useState(() => startList(target, 0));
  const [paintedEpoch, setPaintedEpoch] = useState(-1);
  const { epoch, partial } = list;
  useEffect(() => {
    if (partial) return runAfterPaint(() => setPaintedEpoch(epoch));
  }, [epoch, partial]);
  useLayoutEffect(() => {
    if (list.rows === target.rows || (partial && paintedEpoch !== epoch)) return;
    const step = nextStep(list.rows, target.rows);
    setList(step.fresh ? startList(target, epoch + 1) : { ...step, epoch, partial: false });
  });
  return list;
}

function startList({ rows, openness, atEnd }: Target, epoch: number): ShownList {
  const partial = atEnd && rows.length > 0;
  const shown = partial ? lastRows(rows, openness, innerHeight - FRAME_HEIGHT) : rows;
  return { rows: shown, shift: false, fresh: true, epoch, partial };
}
