import { useEffect, useRef } from "react";
import { markSeen } from "../../store/sessions/seen.ts";
import { rowSeq } from "../rows/row.ts";
import type { ShownRow } from "../rows/shown-rows.ts";

/** The number of rows added since the user scrolled away from the end. */
export function useUnreadRows(rows: readonly ShownRow[], following: boolean): number {
  const seen = useRef(0);
  const last = rows.findLast(({ row }) => rowSeq(row) !== undefined);
  if (following) seen.current = last ? (rowSeq(last.row) ?? 0) : 0;
  if (following) return 0;
  return rows.filter(({ row }) => (rowSeq(row) ?? 0) > seen.current).length;
}

/** Marks the session as read up to `seq` while the page is visible. */
export function useMarkSeen(session: string, seq: number): void {
  useEffect(() => {
    const mark = () => {
      if (seq > 0 && !document.hidden) markSeen(session, seq);
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [session, seq]);
}
