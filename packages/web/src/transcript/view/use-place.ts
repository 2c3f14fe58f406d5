import { useCallback, useEffect, useState } from "react";
import { toast } from "../../store/toasts.ts";
import { rowOfSeq } from "../rows/shown-rows.ts";
import type { TranscriptWindow } from "../window/window.ts";

/** The event that the address points to, and the key of its row once it is loaded. */
export type Place = { seq: number; key?: string };

/** Loads the event in the address, on mount and on every change; without one, the end of the log. */
export function usePlace(window: TranscriptWindow) {
  const [place, setPlace] = useState<Place | undefined>(() => {
    const first = readPlace();
    window.following = first === undefined;
    return first;
  });
  const go = useCallback(async () => {
    const target = readPlace();
    setPlace(target);
    if (!target) return void (await window.loadLatest());
    window.following = false;
    await window.jump(target.seq);
    const found = rowOfSeq(window.state.get().fold.tree, target.seq);
    if (!found || target.seq > window.state.get().end) {
      toast({ tone: "info", text: `This session has no event ${target.seq}.`, remedy: "Showing its end instead." });
      window.following = true;
      setPlace(undefined);
      return void (await window.loadLatest());
    }
    if (found.ancestors.length > 0)
      window.openness.update((openness) => {
        const opened = found.ancestors.map((key) => [key, true] as const);
        return { ...openness, chosen: new Map([...openness.chosen, ...opened]) };
      });
    setPlace({ ...target, key: found.key });
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
