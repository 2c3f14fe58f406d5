import type { AgentRow } from "@gantry/protocol";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { agentName } from "../store/agents.ts";
import { isUnread } from "../store/sessions/seen.ts";
import { classes } from "../ui/classes.ts";
import { type BoardEntry, countSessions, keepOrder } from "./columns.ts";
import { LaunchCard } from "./launch-card.tsx";
import { SessionCard } from "./session-card.tsx";
import { useGrowing } from "./use-growing.ts";

type BoardColumnProps = {
  name: string;
  empty: string;
  entries: readonly BoardEntry[];
  /** Sessions of this column that are not loaded. */
  more: number;
  /** An empty column next to filled ones gives its room to them. */
  narrow: boolean;
  marks: Record<string, number>;
  rows: readonly AgentRow[];
  /** Rendered below the last card. */
  children?: ReactNode;
};

/** One column. Its order is frozen while the pointer moves over it. */
export function BoardColumn({ name, empty, entries, more, narrow, marks, rows, children }: BoardColumnProps) {
  const heading = useId();
  const pointer = usePointer();
  const ordered = useStableOrder(entries, pointer.moving);
  const isEmpty = entries.length === 0 && more === 0;
  const [shown, sentinel] = useGrowing(ordered.length);
  return (
    <section
      aria-labelledby={heading}
      data-column
      onPointerMove={pointer.onMove}
      onPointerLeave={pointer.onLeave}
      className={classes(
        "flex min-w-0 shrink-0 flex-col @min-[62rem]:min-h-0 @min-[62rem]:min-w-44 @min-[62rem]:shrink",
        narrow ? "@max-[34rem]:hidden @min-[62rem]:w-44 @min-[62rem]:flex-none" : "@min-[62rem]:flex-1",
      )}
    >
      <div className="flex shrink-0 items-center gap-2 px-1 pb-2">
        <h2 id={heading} className="text-xs font-semibold text-soft">
          {name}
        </h2>
        <span className="text-xs text-faint tabular-nums">{countSessions(entries) + more}</span>
      </div>
      <div className="grow pb-4 @min-[62rem]:min-h-0 @min-[62rem]:overflow-y-auto">
        {isEmpty && (
          <p className="rounded-lg border border-dashed border-line px-3 py-4 text-center text-xs text-faint">
            {empty}
          </p>
        )}
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] items-start gap-2">
          {ordered.slice(0, shown).map((entry) => (
            <li key={entry.id} className="[contain-intrinsic-size:auto_6.5rem] [content-visibility:auto]">
              {entry.launch ? (
                <LaunchCard launch={entry.launch} slots={entry.slots} status={entry.status} />
              ) : (
                <SessionCard
                  session={entry.session}
                  unread={isUnread(entry.session, marks)}
                  agent={agentName(rows, entry.session.agent)}
                />
              )}
            </li>
          ))}
        </ul>
        <div ref={sentinel} />
        {children}
      </div>
    </section>
  );
}

const POINTER_IDLE_MS = 4000;

/** Whether the pointer is moving here, as it does before a click. A pointer at rest does not count. */
function usePointer() {
  const [moving, setMoving] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onLeave = () => {
    clearTimeout(timer.current);
    setMoving(false);
  };
  const onMove = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setMoving(false), POINTER_IDLE_MS);
    setMoving(true);
  };
  return { moving, onMove, onLeave };
}

function useStableOrder(entries: readonly BoardEntry[], frozen: boolean): readonly BoardEntry[] {
  const before = useRef<readonly string[]>([]);
  const ordered = frozen ? keepOrder(before.current, entries) : entries;
  useEffect(() => {
    before.current = ordered.map((entry) => entry.id);
  });
  return ordered;
}
