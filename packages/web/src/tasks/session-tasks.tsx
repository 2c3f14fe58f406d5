import { runningTasks, type SessionView } from "@gantry/protocol";
import { ListChecks } from "lucide-react";
import { useCell } from "../store/cell.ts";
import { storedCell } from "../store/stored-cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";

const TasksPanel = lazyView(() => import("./tasks-panel.tsx"));

const MAX_SESSIONS = 30;

/** Sessions whose list of tasks is open. */
const openLists = storedCell<readonly string[]>("tasks.open", []);

function toggleList(session: string): void {
  openLists.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MAX_SESSIONS);
    return list.includes(session) ? others : [...others, session];
  });
}

/** Opens and closes the list of background tasks. Shows how many run. */
export function TasksButton({ session }: { session: SessionView }) {
  const open = useCell(openLists).includes(session.id);
  const count = runningTasks(session).length;
  return (
    <Button
      look={open ? "plain" : "quiet"}
      label={count === 0 ? "Tasks" : `Tasks (${count} running)`}
      aria-pressed={open}
      icon={<ListChecks size={16} />}
      onClick={() => toggleList(session.id)}
    >
      {count > 0 && <span className="text-xs text-accent tabular-nums">{count}</span>}
    </Button>
  );
}

/** The list of background tasks next to the transcript, if it is open. */
export function SessionTasks({ session }: { session: SessionView }) {
  if (!useCell(openLists).includes(session.id)) return null;
  return <TasksPanel session={session} onClose={() => toggleList(session.id)} />;
}
