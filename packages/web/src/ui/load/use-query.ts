import { useCallback, useEffect, useRef, useState } from "react";
import { firstPaint } from "../../store/first-paint.ts";

export type Query<T> = { value?: T; error?: unknown; loading: boolean; reload: () => void };

/**
 * Calls `load` on mount, when `key` changes and on `reload`. A response that arrives after a later call was made is
 * dropped. The last value stays available while the next call is in flight.
 */
export function useQuery<T>(key: string, load: () => Promise<T>): Query<T> {
  const [state, setState] = useState<Omit<Query<T>, "reload">>({ loading: true });
  const latestCall = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    const call = ++latestCall.current;
    const set = (next: Omit<Query<T>, "reload">) => call === latestCall.current && setState(next);
    setState((before) => ({ ...before, loading: true }));
    firstPaint
      .then(() => latest.current())
      .then(
        (value) => set({ value, loading: false }),
        (error: unknown) => set({ error, loading: false }),
      );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies what is loaded.
  useEffect(reload, [key, reload]);
  return { ...state, reload };
}
