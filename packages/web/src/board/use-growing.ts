import { type RefObject, useEffect, useRef, useState } from "react";

const STEP = 60;

/** How many rows of a long list to render: grows whenever the sentinel at the end comes near the viewport. */
export function useGrowing(length: number): [shown: number, sentinel: RefObject<HTMLDivElement | null>] {
  const [shown, setShown] = useState(STEP);
  const sentinel = useRef<HTMLDivElement>(null);
  const more = shown < length;
  useEffect(() => {
    if (length <= STEP) setShown(STEP);
  }, [length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sentinel that is still in view after growing must be observed again.
  useEffect(() => {
    if (!more || !sentinel.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setShown((count) => count + STEP),
      { rootMargin: "600px" },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [more, shown]);
  return [shown, sentinel];
}
