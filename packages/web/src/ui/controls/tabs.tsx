import type { KeyboardEvent, ReactNode } from "react";
import { useId, useLayoutEffect } from "react";
import { classes } from "../classes.ts";

export type Tab = { id: string; name: string; content: () => ReactNode };

type TabsProps = { label: string; tabs: readonly Tab[]; chosen: string; onChoose: (id: string) => void };

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
  // On a phone the tabs are wider than the screen.
  useLayoutEffect(() => {
    document.getElementById(currentId)?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [currentId]);
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="mb-5 flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none]"
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
