import type { SearchHit } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../store/client.ts";
import { toastError } from "../store/toasts.ts";

const PAUSE_MS = 150;
export const MOST_HITS = 100;

/** `query` is what the hits are for: while someone types on, they stay until the next ones are there. */
export type Found = { query: string; hits: readonly SearchHit[] };

/** Hits for a query, asked for when the typing pauses. An answer that comes after a later question is dropped. */
export function useHits(query: string): { found: Found | undefined; searching: boolean } {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (query === "") return setFound(undefined);
    let stale = false;
    const ask = async () => {
      try {
        const hits = await client.search(query, { limit: MOST_HITS });
        if (!stale) setFound({ query, hits });
      } catch (error) {
        if (!stale) [toastError(error), setFound({ query, hits: [] })];
      }
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [query]);
  return { found: query === "" ? undefined : found, searching: query !== "" && found?.query !== query };
}
