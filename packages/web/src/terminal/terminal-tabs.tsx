import type { Terminal } from "@gantry/protocol";
import { Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { tabNames } from "./terminal-text.ts";
import { TerminalView } from "./terminal-view.tsx";
import { closeTerminal } from "./terminals.ts";

type TerminalTabsProps = {
  list: readonly Terminal[];
  /** The id of the shown terminal; the last one if it is unknown. */
  chosen: string | undefined;
  focused: boolean;
  onChoose: (id: string) => void;
  /** Opens another terminal; without it there is no such button. */
  onNew?: () => void;
  /** Called when the user closes the last terminal. */
  onEmpty: () => void;
  onExit?: (terminal: Terminal) => void;
  /** More buttons at the end of the row. */
  children?: ReactNode;
};

/** Terminals in tabs. */
export function TerminalTabs(props: TerminalTabsProps) {
  const { list, chosen, focused, onChoose, onNew, onEmpty, onExit, children } = props;
  const base = useId();
  const current = list.find(({ id }) => id === chosen) ?? list.at(-1);
  const tab = (id: string) => document.getElementById(`${base}-${id}`);
  const close = (terminal: Terminal) => {
    if (list.length === 1) onEmpty();
    void closeTerminal(terminal.id);
  };
  return (
    <>
      <header className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-2 py-0.5">
        <TabList base={base} list={list} current={current} onChoose={onChoose} />
        {onNew && <Button look="quiet" label="New terminal" icon={<Plus size={15} />} onClick={onNew} />}
        <Button
          look="quiet"
          label="Close terminal"
          icon={<Trash2 size={14} />}
          disabled={!current}
          onClick={() => current && close(current)}
        />
        {children}
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
    </>
  );
}

type TabListProps = {
  base: string;
  list: readonly Terminal[];
  current: Terminal | undefined;
  onChoose: (id: string) => void;
};

function TabList({ base, list, current, onChoose }: TabListProps) {
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
