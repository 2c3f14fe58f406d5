import { useEffect, useRef } from "react";
import { markSeen } from "../../store/seen.ts";
import { rowSeq } from "../rows/row.ts";
import type { Shown } from "../rows/shown.ts";

/** How many rows have come since the reader left the end. */
export function useFresh(rows: readonly Shown[], following: boolean): number {
  const seen = useRef(0);
  const last = rows.findLast(({ row }) => rowSeq(row) !== undefined);
  if (following) seen.current = last ? (rowSeq(last.row) ?? 0) : 0;
  if (following) return 0;
  return rows.filter(({ row }) => (rowSeq(row) ?? 0) > seen.current).length;
}

/** The session is read up to here, once the page is looked at. */
export function useSeen(session: string, seq: number): void {
  useEffect(() => {
    const mark = () => {
      if (seq > 0 && !document.hidden) markSeen(session, seq);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [session, seq]);
}
