import type { RouteQuery, SearchHit } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";

const DEBOUNCE_MS = 150;
export const MAX_HITS = 100;

/** Hits and the query they belong to. They stay until the hits of the next query arrive. */
export type Found = { query: string; key: string; hits: readonly SearchHit[] };

type Filters = Omit<RouteQuery<"search">, "q" | "limit">;

/** Searches for a query, debounced. The response to an outdated query is dropped. */
export function useHits(query: string, filters: Filters): { found: Found | undefined; searching: boolean } {
  const [found, setFound] = useState<Found>();
  const key = JSON.stringify([query, filters]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for query and filters.
  useEffect(() => {
    if (query === "") return setFound(undefined);
    let stale = false;
    const search = async () => {
      try {
        const hits = await client.search(query, { limit: MAX_HITS, ...filters });
        if (!stale) setFound({ query, key, hits });
      } catch (error) {
        if (!stale) [toastError(error), setFound({ query, key, hits: [] })];
      }
    };
    const timer = setTimeout(search, DEBOUNCE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [key]);
  return { found: query === "" ? undefined : found, searching: query !== "" && found?.key !== key };
}
