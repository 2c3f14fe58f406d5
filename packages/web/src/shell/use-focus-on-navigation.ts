import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";

/**
 * Moves the focus into the view after a navigation, as a page load would, unless the view has already taken it. Keyboard
 * and screen reader users then continue in the new view.
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
