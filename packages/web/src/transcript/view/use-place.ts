import { useCallback, useEffect, useState } from "react";
import { toast } from "../../store/toasts.ts";
import { rowOfSeq } from "../rows/shown.ts";
import type { TranscriptWindow } from "../window/window.ts";

/** The place that the address names: the event, and the row that tells of it once it is there. */
export type Place = { seq: number; key?: string };

/** Goes to the event in the address, now and whenever that changes; to the end of the log where there is none. */
export function usePlace(window: TranscriptWindow) {
  const [place, setPlace] = useState<Place | undefined>(() => {
    const first = readPlace();
    window.following = first === undefined;
    return first;
  });
  const go = useCallback(async () => {
    const wanted = readPlace();
    setPlace(wanted);
    if (!wanted) return void (await window.latest());
    window.following = false;
    await window.jump(wanted.seq);
    const found = rowOfSeq(window.state.get().fold.tree, wanted.seq);
    if (!found || wanted.seq > window.state.get().end) {
      toast({ tone: "info", text: `There is no event ${wanted.seq} in this session.`, remedy: "This is its end." });
      window.following = true;
      setPlace(undefined);
      return void (await window.latest());
    }
    if (found.ancestors.length > 0)
      window.openness.update((openness) => {
        const opened = found.ancestors.map((key) => [key, true] as const);
        return { ...openness, chosen: new Map([...openness.chosen, ...opened]) };
      });
    setPlace({ ...wanted, key: found.key });
  }, [window]);
  useEffect(() => {
    void go();
    addEventListener("hashchange", go);
    return () => removeEventListener("hashchange", go);
  }, [go]);
  return place;
}

function readPlace(): Place | undefined {
  const [, seq] = /^#(\d{1,15})$/.exec(location.hash) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq) };
}
