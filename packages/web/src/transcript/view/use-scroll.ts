import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { TranscriptWindow } from "../window/window.ts";
import type { ShownList } from "./use-steps.ts";

/** Distances in pixels: what counts as being at the end, and when the next page is loaded. */
const NEAR_END = 24;
const AHEAD = 2500;

export type Scroll = {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** Whether the list sticks to its end. */
  following: boolean;
  /** Whether there is something below the visible part. */
  hasMore: boolean;
  onScroll: () => void;
  onResize: () => void;
  toEnd: () => void;
  /** Stops sticking to the end. */
  release: () => void;
};

/**
 * Sticks to the end while the user is there, and keeps the scroll position otherwise. Only user input releases the end;
 * growing text does not.
 */
export function useScroll(window: TranscriptWindow, { rows, epoch, partial }: ShownList, held: boolean): Scroll {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [following, setFollowing] = useState(true);
  const [hasMore, setHasMore] = useState(false);
  const last = useRef(0);

  const follow = useCallback(
    (value: boolean) => {
      window.following = value;
      setFollowing(value);
    },
    [window],
  );
  const release = useCallback(() => follow(false), [follow]);
  const toEnd = useCallback(() => {
    follow(true);
    holdEnd(scroller.current);
  }, [follow]);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const isBack = element.scrollTop < last.current;
    last.current = element.scrollTop;
    const left = distanceToEnd(element);
    setHasMore(left >= NEAR_END || !window.atEnd);
    if (left < NEAR_END && window.atEnd && !window.following) follow(true);
    else if (isBack && left >= NEAR_END && window.following) follow(false);
    if (!partial) prefetchPages(window, element);
  }, [window, follow, partial]);

  const measure = useCallback(() => {
    if (scroller.current) setHasMore(distanceToEnd(scroller.current) >= NEAR_END || !window.atEnd);
  }, [window]);

  const onResize = useCallback(() => {
    if (window.following && !held) holdEnd(scroller.current);
    measure();
  }, [window, held, measure]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the list may move its end.
  useLayoutEffect(() => {
    if (held) return;
    if (window.following) holdEnd(scroller.current);
    measure();
    // Paint first, then load more.
    if (partial || rows.length === 0) return;
    const timer = setTimeout(() => scroller.current && prefetchPages(window, scroller.current), 80);
    return () => clearTimeout(timer);
  }, [rows, epoch, held, partial]);

  useReleaseOnInput(scroller, release);
  return { scroller, list, following, hasMore, onScroll, onResize, toEnd, release };
}

function distanceToEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop;
}

function holdEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}

/** Loads the next page in either direction before the user reaches it. */
function prefetchPages(window: TranscriptWindow, element: HTMLElement): void {
  if (window.state.get().loading) return;
  if (element.scrollTop < AHEAD && !window.atStart) void window.loadOlder();
  else if (element.scrollHeight - element.scrollTop - element.clientHeight < AHEAD && !window.atEnd)
    void window.loadNewer();
}

/** Releases the end on the first upward wheel or key event, before the scroll event arrives. */
function useReleaseOnInput(scroller: RefObject<HTMLDivElement | null>, release: () => void): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const canScroll = () => element.scrollHeight > element.clientHeight;
    const onWheel = (event: WheelEvent) => event.deltaY < 0 && canScroll() && release();
    const onKey = (event: KeyboardEvent) =>
      ["ArrowUp", "PageUp", "Home"].includes(event.key) && event.target === element && canScroll() && release();
    element.addEventListener("wheel", onWheel, { passive: true });
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("wheel", onWheel);
      element.removeEventListener("keydown", onKey);
    };
  }, [scroller, release]);
}
