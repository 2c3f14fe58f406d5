import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { TranscriptWindow } from "../window/window.ts";
import type { ShownList } from "./use-steps.ts";

/** How near the end counts as being there, and how near an end the next page is asked for. */
const NEAR_END = 24;
const AHEAD = 2500;

export type Scroll = {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** Is the end before the reader, and does it stay there? */
  following: boolean;
  onScroll: () => void;
  onResize: () => void;
  toEnd: () => void;
  /** The reader goes where he wants; the end is no longer held. */
  release: () => void;
};

/**
 * Keeps the end in view for a reader who is there, and what is read in its place for one who is not. Only what a person
 * does lets go of the end: text that grows does not.
 */
export function useScroll(window: TranscriptWindow, { rows, epoch }: ShownList, held: boolean): Scroll {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [following, setFollowing] = useState(true);
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
    const left = element.scrollHeight - element.clientHeight - element.scrollTop;
    if (left < NEAR_END && window.atEnd && !window.following) follow(true);
    else if (isBack && left >= NEAR_END && window.following) follow(false);
    askAhead(window, element);
  }, [window, follow]);

  const onResize = useCallback(() => {
    if (window.following && !held) holdEnd(scroller.current);
  }, [window, held]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the list may move its end.
  useLayoutEffect(() => {
    if (held) return;
    if (window.following) holdEnd(scroller.current);
    // What is there is painted first.
    const timer = setTimeout(() => scroller.current && rows.length > 0 && askAhead(window, scroller.current), 80);
    return () => clearTimeout(timer);
  }, [rows, epoch, held]);

  useReleaseByHand(scroller, release);
  return { scroller, list, following, onScroll, onResize, toEnd, release };
}

function holdEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}

/** The next page is there before the reader is, in whichever direction he goes. */
function askAhead(window: TranscriptWindow, element: HTMLElement): void {
  if (window.state.get().loading) return;
  if (element.scrollTop < AHEAD && !window.atStart) void window.older();
  else if (element.scrollHeight - element.scrollTop - element.clientHeight < AHEAD && !window.atEnd)
    void window.newer();
}

/** A wheel or a finger that goes back lets go of the end at once, not only when the scrolling is told. */
function useReleaseByHand(scroller: RefObject<HTMLDivElement | null>, release: () => void): void {
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
