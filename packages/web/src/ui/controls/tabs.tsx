import type { KeyboardEvent, ReactNode } from "react";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import { classes } from "../classes.ts";

export type Tab = { id: string; name: string; content: () => ReactNode };

type TabsProps = { label: string; tabs: readonly Tab[]; chosen: string; onChoose: (id: string) => void };

/** Marks the sides on which tabs are scrolled out of view; they fade out there. */
function markHidden(list: HTMLElement | null): void {
  if (!list) return;
  list.toggleAttribute("data-left", list.scrollLeft > 1);
  list.toggleAttribute("data-right", list.scrollLeft + list.clientWidth < list.scrollWidth - 1);
}

/** Scrolls the current tab into view. On a phone the tabs are wider than the screen. */
function useScrolledList(currentId: string) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.getElementById(currentId)?.scrollIntoView({ block: "nearest", inline: "center" });
    markHidden(list.current);
  }, [currentId]);
  useEffect(() => {
    const mark = () => markHidden(list.current);
    addEventListener("resize", mark);
    return () => removeEventListener("resize", mark);
  }, []);
  return list;
}

/** A tab list with its panel. The left and right arrow keys move between tabs. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const base = useId();
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === chosen),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  const current = tabs[at];
  const currentId = `${base}-${current?.id}`;
  const list = useScrolledList(currentId);
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        onScroll={(event) => markHidden(event.currentTarget)}
        className={classes(
          "mb-5 flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none]",
          "[--left:0px] [--right:0px] data-left:[--left:2.5rem] data-right:[--right:2.5rem]",
          "[mask-image:linear-gradient(to_right,transparent,black_var(--left),black_calc(100%-var(--right)),transparent)]",
        )}
      >
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === current?.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => onChoose(id)}
            className={classes(
              "shrink-0 border-b-2 px-2 py-1.5 whitespace-nowrap pointer-coarse:min-h-11",
              id === current?.id ? "border-accent font-medium text-ink" : "border-transparent text-soft hover:text-ink",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={currentId}>
        {current?.content()}
      </div>
    </>
  );
}
