import { useLayoutEffect, useState } from "react";
import { nextStep, type Step } from "../rows/next-step.ts";
import type { ShownRow } from "../rows/shown-rows.ts";

export type ShownList = Step & {
  /** Changes when the list has no row in common with the one before; its measurements are then discarded. */
  epoch: number;
};

/** Moves the rendered list to the target rows one end at a time, before the next paint. */
export function useSteps(target: readonly ShownRow[]): ShownList {
  const [list, setList] = useState<ShownList>({ rows: target, shift: false, fresh: true, epoch: 0 });
  useLayoutEffect(() => {
    if (list.rows === target) return;
    const step = nextStep(list.rows, target);
    setList({ ...step, epoch: step.fresh ? list.epoch + 1 : list.epoch });
  }, [list, target]);
  return list;
}
