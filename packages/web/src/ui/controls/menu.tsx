import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import { classes } from "../classes.ts";
import { Button, type ButtonProps } from "./button.tsx";

export type MenuEntry = { label: string; icon?: ReactNode; danger?: boolean; disabled?: boolean; run: () => void };

type MenuProps = {
  label: string;
  icon: ReactNode;
  entries: readonly MenuEntry[];
  look?: ButtonProps["look"];
  className?: string;
};

/** A button that opens a list of actions. */
export function Menu({ label, icon, entries, look = "quiet", className }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const place = () => {
    const { right = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
    return { x: right - (list.current?.offsetWidth ?? 0), y: bottom + 4 };
  };
  return (
    <>
      <Button
        ref={button}
        look={look}
        label={label}
        icon={icon}
        aria-haspopup="menu"
        popoverTarget={id}
        className={className}
      />
      <MenuList id={id} list={list} label={label} entries={entries} place={place} />
    </>
  );
}

type MenuListProps = {
  id?: string;
  list: RefObject<HTMLDivElement | null>;
  label: string;
  entries: readonly MenuEntry[];
  /** The preferred corner of the list. It is moved so that the list is within the window. */
  place: () => { x: number; y: number };
  onClose?: () => void;
};

/** The list of a menu, as a popover. Arrow keys move the focus, Escape closes it. */
export function MenuList({ id, list, label, entries, place, onClose }: MenuListProps) {
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
    <div
      ref={list}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        const { current } = list;
        if (event.newState !== "open") onClose?.();
        if (event.newState !== "open" || !current) return;
        const { x, y } = place();
        current.style.top = `${Math.max(8, Math.min(y, innerHeight - current.offsetHeight - 8))}px`;
        current.style.left = `${Math.max(8, Math.min(x, innerWidth - current.offsetWidth - 8))}px`;
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
  );
}
