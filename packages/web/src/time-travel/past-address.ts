import { useEffect, useState } from "react";
import { useSearch } from "wouter";
import { navigate } from "wouter/use-browser-location";

/** The address of a session at an event. Without the query it opens the live transcript at that event. */
export function pastPath(session: string, seq: number): string {
  return `/s/${session}?past#${seq}`;
}

export function enterPast(session: string, seq: number): void {
  navigate(pastPath(session, seq));
}

export function leavePast(session: string): void {
  navigate(`/s/${session}`);
}

/** Whether the address asks for a moment of the past. */
export function useIsPast(): boolean {
  return new URLSearchParams(useSearch()).has("past");
}

export function readSeq(): number | undefined {
  const [, seq] = /^#(\d{1,15})$/.exec(location.hash) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

const WRITE_MS = 200;

/** The event in the address, within the log. Moves write it back a moment later: a slider moves many times a second. */
export function usePastSeq(session: string, end: number): [seq: number, move: (seq: number) => void] {
  const [wanted, setWanted] = useState(() => readSeq() ?? end);
  const seq = Math.max(1, Math.min(wanted, end));
  useEffect(() => {
    const onHash = () => setWanted((now) => readSeq() ?? now);
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    const write = () => {
      if (readSeq() !== seq) history.replaceState(history.state, "", pastPath(session, seq));
    };
    const timer = setTimeout(write, WRITE_MS);
    return () => clearTimeout(timer);
  }, [session, seq]);
  return [seq, setWanted];
}
