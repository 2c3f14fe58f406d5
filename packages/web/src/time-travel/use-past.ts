import type { Envelope, PastSession } from "@gantry/protocol";
import { useEffect, useMemo, useState } from "react";
import { client } from "../store/connection/client.ts";
import { PastLog } from "./past-log.ts";

/** While the slider moves, only the moment where it rests is requested. */
const REST_MS = 60;

export type Loaded<T> = { value?: T; error?: unknown };

/** The session at an event. The last moment stays available while the next one loads. */
export function useMoment(session: string, seq: number): Loaded<PastSession> & { retry: () => void } {
  const [state, setState] = useState<Loaded<PastSession>>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      client.sessions.at(session, seq, abort.signal).then(
        (value) => !abort.signal.aborted && setState({ value }),
        (error: unknown) => !abort.signal.aborted && setState(({ value }) => ({ value, error })),
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, seq, attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}

/** The events up to `seq`. The last ones stay available while others load. */
export function usePastEvents(session: string, seq: number, pages: number): Loaded<Envelope[]> {
  const log = useMemo(
    () => new PastLog(async (after, limit) => (await client.sessions.events(session, { after, limit })).events),
    [session],
  );
  const [state, setState] = useState<Loaded<Envelope[]>>({});
  useEffect(() => {
    let current = true;
    log.until(seq, pages).then(
      (value) => current && setState({ value }),
      (error: unknown) => current && setState(({ value }) => ({ value, error })),
    );
    return () => {
      current = false;
    };
  }, [log, seq, pages]);
  return state;
}
