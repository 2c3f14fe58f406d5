import { useCallback, useEffect, useRef, useState } from "react";

export type Loaded<T> = { value?: T; error?: unknown; loading: boolean; reload: () => void };

/**
 * What a call answers, asked when the component is shown, when `key` changes and on `reload`. An answer that comes after
 * the next question is dropped; the last good one stays while another is on its way.
 */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ loading: true });
  const asked = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => {
    const turn = ++asked.current;
    const set = (next: Omit<Loaded<T>, "reload">) => turn === asked.current && setState(next);
    setState((before) => ({ ...before, loading: true }));
    latest.current().then(
      (value) => set({ value, loading: false }),
      (error: unknown) => set({ error, loading: false }),
    );
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for.
  useEffect(reload, [key, reload]);
  return { ...state, reload };
}
