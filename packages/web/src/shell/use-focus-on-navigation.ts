import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";

/**
 * Puts the focus into the view whenever another one is shown, as a page load would, unless the view has put it
 * somewhere itself. Keyboard and screen reader then go on where the reader looks.
 */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
