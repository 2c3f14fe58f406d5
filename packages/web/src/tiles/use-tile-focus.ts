import { type RefObject, useEffect, useRef, useState } from "react";

export type TileFocus = {
  frame: RefObject<HTMLDivElement | null>;
  focused: string | undefined;
  /** Called when the focus or the pointer enters a tile. */
  note: (id: string) => void;
  /** Moves the focus into a tile: into its message box if the user is typing, else to its transcript. */
  focus: (id: string | undefined) => void;
};

/** The tile that keyboard shortcuts act on. On a phone it is the tile that was swiped into view. */
export function useTileFocus(ids: readonly string[]): TileFocus {
  const frame = useRef<HTMLDivElement>(null);
  const [noted, note] = useState<string>();
  const focused = noted !== undefined && ids.includes(noted) ? noted : ids[0];
  const focus = (id: string | undefined) => {
    const tile = id === undefined ? undefined : findTile(frame.current, id);
    if (!tile || id === undefined) return;
    note(id);
    tile.scrollIntoView({ block: "nearest", inline: "nearest" });
    const typing = document.activeElement instanceof HTMLTextAreaElement;
    const target = (typing && tile.querySelector("textarea")) || tile.querySelector<HTMLElement>("[role=log]");
    target?.focus({ preventScroll: true });
  };
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const watch = new IntersectionObserver(
      (entries) => {
        const [entry] = entries.filter(({ isIntersecting }) => isIntersecting);
        // Wide windows show several tiles at once: there the focus decides.
        const shown = entry?.target.getAttribute("data-tile");
        if (shown && entry && entry.target.clientWidth > current.clientWidth * 0.8) note(shown);
      },
      { root: current, threshold: 0.6 },
    );
    for (const id of ids) {
      const tile = findTile(current, id);
      if (tile) watch.observe(tile);
    }
    return () => watch.disconnect();
  }, [ids]);
  return { frame, focused, note, focus };
}

function findTile(frame: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return frame?.querySelector<HTMLElement>(`[data-tile="${CSS.escape(id)}"]`);
}
