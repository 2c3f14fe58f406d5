import { type MouseEvent, useEffect, useRef } from "react";
import { Cell, useCell } from "../../store/cell.ts";
import { type MenuEntry, MenuList } from "./menu.tsx";

type Opened = { label: string; entries: readonly MenuEntry[]; x: number; y: number };

const opened = new Cell<Opened | undefined>(undefined);

/** Opens the context menu at the pointer, or below the element if a key opened it. With Shift the browser's menu opens. */
export function openContextMenu(event: MouseEvent, label: string, entries: readonly MenuEntry[]): void {
  if (event.shiftKey || entries.length === 0) return;
  event.preventDefault();
  const box = event.currentTarget.getBoundingClientRect();
  const byKey = event.clientX === 0 && event.clientY === 0;
  opened.set({ label, entries, x: byKey ? box.left : event.clientX, y: byKey ? box.bottom : event.clientY });
}

/** The one context menu of the page. */
export function ContextMenu() {
  const menu = useCell(opened);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (!menu) return;
    before.current = document.activeElement;
    list.current?.showPopover();
  }, [menu]);
  if (!menu) return null;
  const close = () => {
    opened.set(undefined);
    if (document.activeElement === document.body) (before.current as HTMLElement | null)?.focus();
  };
  const { label, entries, x, y } = menu;
  return (
    <MenuList key={`${x} ${y}`} list={list} label={label} entries={entries} place={() => ({ x, y })} onClose={close} />
  );
}
