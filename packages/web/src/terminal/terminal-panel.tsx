import type { Terminal } from "@gantry/protocol";
import { ChevronDown, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { useCell } from "../store/cell.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { ResizeHandle } from "../ui/controls/resize-handle.tsx";
import { terminalHeight } from "./drawer-state.ts";
import { tabNames } from "./terminal-text.ts";
import { TerminalView } from "./terminal-view.tsx";
import { closeTerminal } from "./terminals.ts";

type TerminalPanelProps = {
  list: readonly Terminal[];
  /** The id of the shown terminal; the last one if it is unknown. */
  chosen: string | undefined;
  focused: boolean;
  onChoose: (id: string) => void;
  /** Opens another terminal; without it there is no such button. */
  onNew?: () => void;
  onHide: () => void;
  onExit?: (terminal: Terminal) => void;
};

const MIN_HEIGHT = 120;
/** Height reserved for the header, a few lines of transcript and the composer. */
const RESERVED = 260;

/** Terminals in tabs below a view. */
export function TerminalPanel({ list, chosen, focused, onChoose, onNew, onHide, onExit }: TerminalPanelProps) {
  const height = useCell(terminalHeight);
  const base = useId();
  const current = list.find(({ id }) => id === chosen) ?? list.at(-1);
  const tab = (id: string) => document.getElementById(`${base}-${id}`);
  const close = useCloser(list, onHide);
  return (
    <section
      aria-label="Terminal"
      style={{ height }}
      className="flex max-h-[calc(100%-8rem)] min-h-[7.5rem] shrink-0 flex-col"
    >
      <ResizeHandle
        label="Terminal height"
        edge="top"
        size={height}
        min={MIN_HEIGHT}
        reserved={RESERVED}
        onResize={(to) => terminalHeight.set(to)}
      />
      <header className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-2 py-0.5">
        <TerminalTabs base={base} list={list} current={current} onChoose={onChoose} />
        {onNew && <Button look="quiet" label="New terminal" icon={<Plus size={15} />} onClick={onNew} />}
        <Button
          look="quiet"
          label="Close terminal"
          icon={<Trash2 size={14} />}
          disabled={!current}
          onClick={() => current && close(current)}
        />
        <Button look="quiet" label="Hide terminals" icon={<ChevronDown size={15} />} onClick={onHide} />
      </header>
      {current ? (
        <div
          role="tabpanel"
          id={`${base}-panel`}
          aria-labelledby={`${base}-${current.id}`}
          className="flex min-h-0 grow flex-col"
        >
          <TerminalView
            key={current.id}
            id={current.id}
            focused={focused}
            onLeave={() => tab(current.id)?.focus()}
            onExit={() => onExit?.(current)}
          />
        </div>
      ) : (
        <p className="m-auto text-faint">Opening a terminal…</p>
      )}
    </section>
  );
}

/** Closing the last terminal hides the panel as well. */
function useCloser(list: readonly Terminal[], onHide: () => void): (terminal: Terminal) => void {
  return (terminal) => {
    if (list.length === 1) onHide();
    void closeTerminal(terminal.id);
  };
}

type TerminalTabsProps = {
  base: string;
  list: readonly Terminal[];
  current: Terminal | undefined;
  onChoose: (id: string) => void;
};

function TerminalTabs({ base, list, current, onChoose }: TerminalTabsProps) {
  const names = tabNames(list);
  const tablist = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = list.findIndex(({ id }) => id === current?.id);
    const next = step && list[(at + step + list.length) % list.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    tablist.current?.querySelector<HTMLElement>(`#${CSS.escape(`${base}-${next.id}`)}`)?.focus();
  };
  return (
    <div
      ref={tablist}
      role="tablist"
      aria-label="Terminals"
      onKeyDown={onKeyDown}
      className="flex min-w-0 grow gap-0.5 overflow-x-auto"
    >
      {list.map(({ id, state, command, cwd }, index) => (
        <button
          key={id}
          id={`${base}-${id}`}
          type="button"
          role="tab"
          aria-selected={id === current?.id}
          aria-controls={id === current?.id ? `${base}-panel` : undefined}
          tabIndex={id === current?.id ? 0 : -1}
          title={`${command.join(" ")}\n${cwd}`}
          onClick={() => onChoose(id)}
          className={classes(
            "h-7 rounded-md px-2 text-xs whitespace-nowrap",
            id === current?.id ? "bg-hover font-medium text-ink" : "text-soft hover:text-ink",
          )}
        >
          {names[index]}
          {state === "exited" && <span className="font-normal text-faint"> · ended</span>}
        </button>
      ))}
    </div>
  );
}
