import type { AgentRow, SessionView } from "@gantry/protocol";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { agentName } from "../store/agents.ts";
import { isUnread } from "../store/seen.ts";
import { keepOrder } from "./columns.ts";
import { SessionCard } from "./session-card.tsx";
import { useGrowing } from "./use-growing.ts";

type BoardColumnProps = {
  name: string;
  empty: string;
  sessions: readonly SessionView[];
  marks: Record<string, number>;
  rows: readonly AgentRow[];
  /** Below the last card. */
  children?: ReactNode;
};

/** One column. Its cards stay where they are while a pointer is among them. */
export function BoardColumn({ name, empty, sessions, marks, rows, children }: BoardColumnProps) {
  const heading = useId();
  const pointer = usePointer();
  const ordered = useCalmOrder(sessions, pointer.near);
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

const POINTER_RESTS_MS = 4000;

/** Is a pointer moving about here, as before a click? One that only rests does not hold anything up. */
function usePointer() {
  const [near, setNear] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onLeave = () => {
    clearTimeout(timer.current);
    setNear(false);
  };
  const onMove = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setNear(false), POINTER_RESTS_MS);
    setNear(true);
  };
  return { near, onMove, onLeave };
}

function useCalmOrder(sessions: readonly SessionView[], calm: boolean): readonly SessionView[] {
  const before = useRef<readonly string[]>([]);
  const ordered = calm ? keepOrder(before.current, sessions) : sessions;
  useEffect(() => {
    before.current = ordered.map((session) => session.id);
  });
  return ordered;
}
