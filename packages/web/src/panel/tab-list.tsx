import type { SessionView } from "@gantry/protocol";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { classes } from "../ui/classes.ts";
import type { PanelTab } from "./panel-tab.ts";

type TabListProps = {
  /** The prefix of the element ids. */
  base: string;
  session: SessionView;
  tabs: readonly PanelTab[];
  current: string | undefined;
  /** The current tab takes the focus when the list appears. */
  focused: boolean;
  onChoose: (id: string, options?: { focus: boolean }) => void;
};

/** The tabs of the panel. The arrow keys, Home and End move between them. */
export function TabList({ base, session, tabs, current, focused, onChoose }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const tab = (id: string | undefined) => document.getElementById(`${base}-${id}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first render takes the focus.
  useEffect(() => {
    if (focused) tab(current)?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(`${base}-${current}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [base, current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[to % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id, { focus: false });
    tab(next.id)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Panel"
      onKeyDown={onKeyDown}
      className="flex min-w-0 grow overflow-x-auto px-1 [scrollbar-width:none]"
    >
      {tabs.map(({ id, name, icon, count }) => {
        const waiting = count?.(session);
        return (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-label={name}
            title={waiting?.name}
            aria-selected={id === current}
            aria-controls={id === current ? `${base}-${id}-panel` : undefined}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChoose(id)}
            className={classes(
              "flex shrink-0 items-center gap-1.5 border-b-2 px-2 py-2 text-sm whitespace-nowrap -outline-offset-2 pointer-coarse:min-h-11",
              id === current ? "border-accent font-medium text-ink" : "border-transparent text-soft hover:text-ink",
            )}
          >
            <span aria-hidden="true" className="@max-lg:hidden">
              {icon}
            </span>
            {name}
            {waiting && waiting.count > 0 && <Count count={waiting.count} />}
          </button>
        );
      })}
    </div>
  );
}

/** A number next to a name. It is generated content, so that it is no part of the accessible name. */
export function Count({ count }: { count: number }) {
  return (
    <span
      data-count={count}
      className="rounded-full bg-accent-wash px-1.5 text-2xs text-accent tabular-nums after:content-[attr(data-count)]"
    />
  );
}
