import type { AgentRow, SessionView } from "@gantry/protocol";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { agentName } from "../store/agents.ts";
import { isUnread } from "../store/sessions/seen.ts";
import { keepOrder } from "./columns.ts";
import { SessionCard } from "./session-card.tsx";
import { useGrowing } from "./use-growing.ts";

type BoardColumnProps = {
  name: string;
  empty: string;
  sessions: readonly SessionView[];
  marks: Record<string, number>;
  rows: readonly AgentRow[];
  /** Rendered below the last card. */
  children?: ReactNode;
};

/** One column. Its order is frozen while the pointer moves over it. */
export function BoardColumn({ name, empty, sessions, marks, rows, children }: BoardColumnProps) {
  const heading = useId();
  const pointer = usePointer();
  const ordered = useStableOrder(sessions, pointer.moving);
  const [shown, sentinel] = useGrowing(ordered.length);
  return (
    <section
      aria-labelledby={heading}
      data-column
      onPointerMove={pointer.onMove}
      onPointerLeave={pointer.onLeave}
      className="flex min-h-0 min-w-0 flex-col"
    >
      <div className="flex shrink-0 items-center gap-2 px-1 pb-2">
        <h2 id={heading} className="text-xs font-semibold text-soft">
          {name}
        </h2>
        <span className="text-xs text-faint tabular-nums">{sessions.length}</span>
      </div>
      <div className="min-h-0 grow overflow-y-auto pb-4">
        {ordered.length === 0 && (
          <p className="rounded-lg border border-dashed border-line px-3 py-4 text-center text-xs text-faint">
            {empty}
          </p>
        )}
        <ul className="flex flex-col gap-2">
          {ordered.slice(0, shown).map((session) => (
            <li key={session.id} className="[contain-intrinsic-size:auto_6.5rem] [content-visibility:auto]">
              <SessionCard session={session} unread={isUnread(session, marks)} agent={agentName(rows, session.agent)} />
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

function useStableOrder(sessions: readonly SessionView[], frozen: boolean): readonly SessionView[] {
  const before = useRef<readonly string[]>([]);
  const ordered = frozen ? keepOrder(before.current, sessions) : sessions;
  useEffect(() => {
    before.current = ordered.map((session) => session.id);
  });
  return ordered;
}
