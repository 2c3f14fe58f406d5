import { useSyncExternalStore } from "react";

const NARROW = matchMedia("(max-width: 799px)");

/** Is there too little room for a sidebar beside the view? */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}
