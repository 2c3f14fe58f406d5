import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classes } from "../classes.ts";
import { Button, type ButtonProps } from "./button.tsx";

export type MenuEntry = { label: string; icon?: ReactNode; danger?: boolean; disabled?: boolean; run: () => void };

type MenuProps = { label: string; icon: ReactNode; entries: readonly MenuEntry[]; look?: ButtonProps["look"] };

/** A button that opens a list of actions. */
export function Menu({ label, icon, entries, look = "quiet" }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const focus = (step: number) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items.at((at + step + items.length) % items.length)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    focus(step);
  };
  return (
    <>
      <Button ref={button} look={look} label={label} icon={icon} aria-haspopup="menu" popoverTarget={id} />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState !== "open" || !list.current || !button.current) return;
          const place = button.current.getBoundingClientRect();
          list.current.style.top = `${Math.min(place.bottom + 4, innerHeight - list.current.offsetHeight - 8)}px`;
          list.current.style.left = `${Math.max(8, place.right - list.current.offsetWidth)}px`;
          focus(1);
        }}
        className="fixed m-0 min-w-44 rounded-lg border border-line bg-raised p-1 text-ink shadow-raised"
      >
        {entries.map((entry) => (
          <button
            key={entry.label}
            type="button"
            role="menuitem"
            disabled={entry.disabled}
            onClick={() => {
              list.current?.hidePopover();
              entry.run();
            }}
            className={classes(
              "flex w-full items-center gap-2 rounded px-2 py-1 text-left text-sm pointer-coarse:min-h-11 hover:bg-hover focus-visible:bg-hover disabled:opacity-50",
              entry.danger && "text-bad",
            )}
          >
            {entry.icon}
            {entry.label}
          </button>
        ))}
      </div>
    </>
  );
}
