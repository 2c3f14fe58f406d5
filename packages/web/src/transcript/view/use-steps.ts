import { useLayoutEffect, useState } from "react";
import type { Shown } from "../rows/shown.ts";
import { nextStep, type Step } from "../rows/step.ts";

export type ShownList = Step & {
  /** Changes when nothing of the list before is left: then its measurements begin anew as well. */
  epoch: number;
};

/** The list as it is drawn, brought to what is wanted one end at a time, before anything is painted. */
export function useSteps(wanted: readonly Shown[]): ShownList {
  const [list, setList] = useState<ShownList>({ rows: wanted, shift: false, fresh: true, epoch: 0 });
  useLayoutEffect(() => {
    if (list.rows === wanted) return;
    const step = nextStep(list.rows, wanted);
    setList({ ...step, epoch: step.fresh ? list.epoch + 1 : list.epoch });
  }, [list, wanted]);
  return list;
}
