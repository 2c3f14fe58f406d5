import type { Project, SessionGroup, SessionView } from "@gantry/protocol";
import { Settings2, X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { ProjectDot } from "../projects/project-dot.tsx";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useLaunches } from "../store/launches.ts";
import { projects, sessionsOf, shownProject, useShownProject } from "../store/projects.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { seen } from "../store/sessions/seen.ts";
import { loadOlderSessions, olderSessions, sessionsLoaded, unloadedSessions } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { archiveProgress, loadArchived } from "./archived.ts";
import { BoardColumn } from "./board-column.tsx";
import { BoardFilters } from "./board-filters.tsx";
import { arrange, columns } from "./columns.ts";
import { filters, isFiltered, passes } from "./filters.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useBoardKeys } from "./use-board-keys.ts";

const Welcome = lazyView(async () => ({ default: (await import("../welcome/welcome.tsx")).Welcome }));

/** All sessions in columns by state. */
export default function Board() {
  const everything = useSessions();
  const allProjects = useCell(projects);
  const project = useShownProject();
  const sessions = useMemo(() => sessionsOf(everything, project, allProjects), [everything, project, allProjects]);
  const loaded = useCell(sessionsLoaded);
  const field = useRef<HTMLInputElement>(null);
  const board = useBoardKeys(() => field.current?.focus());
  const rows = useCell(agents);
  const first = loaded && everything.length === 0;
  return (
    <section aria-label="Board" className="flex min-h-0 grow flex-col bg-page">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 border-b border-line px-5 py-1.5">
        <BoardTitle project={project} />
        {!first && <BoardFilters sessions={sessions} rows={rows} field={field} />}
      </header>
      <div ref={board} className="@container flex min-h-0 grow flex-col overflow-auto">
        {first ? <Welcome /> : loaded && <Columns sessions={sessions} isProject={project !== undefined} />}
      </div>
    </section>
  );
}

function BoardTitle({ project }: { project: Project | undefined }) {
  if (!project) return <h1 className="grow text-base font-semibold">Board</h1>;
  return (
    <div className="flex min-w-0 grow items-center gap-2">
      <ProjectDot color={project.color} />
      <h1 className="min-w-0 truncate text-base font-semibold">{project.name}</h1>
      <Link
        href={`/projects/${project.id}`}
        aria-label={`Settings of ${project.name}`}
        title={`Settings of ${project.name}`}
        className="flex size-7 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <Settings2 size={15} aria-hidden="true" />
      </Link>
      <Button look="quiet" icon={<X size={13} />} onClick={() => shownProject.set("")}>
        All projects
      </Button>
    </div>
  );
}

function Columns({ sessions, isProject }: { sessions: readonly SessionView[]; isProject: boolean }) {
  const marks = useCell(seen);
  const rows = useCell(agents);
  const now = useCell(filters);
  const launches = useLaunches();
  const unloaded = useCell(unloadedSessions);
  const passing = useMemo(() => sessions.filter((session) => passes(session, now, marks)), [sessions, now, marks]);
  const arranged = useMemo(() => arrange(passing, launches), [passing, launches]);
  useEffect(() => {
    if (now.archived && !archiveProgress.get().started) void loadArchived();
  }, [now.archived]);
  const more = isFiltered(now) || now.archived || isProject ? 0 : unloaded;
  const isFilled = (id: SessionGroup) => arranged[id].length > 0 || (id === "done" && more > 0);
  const allEmpty = !columns.some(({ id }) => isFilled(id));
  return (
    <>
      <div className="flex grow flex-col gap-4 px-5 pt-3 @min-[62rem]:min-h-0 max-sm:px-3 @min-[34rem]:grid @min-[34rem]:auto-rows-max @min-[34rem]:grid-cols-2 @min-[62rem]:flex @min-[62rem]:flex-row">
        {columns.map(({ id, name, empty }) => (
          <BoardColumn
            key={id}
            name={name}
            empty={empty}
            entries={arranged[id]}
            more={id === "done" ? more : 0}
            narrow={!isFilled(id) && !allEmpty}
            marks={marks}
            rows={rows}
          >
            {id === "done" && <Older archived={now.archived} />}
          </BoardColumn>
        ))}
      </div>
      <SelectionBar sessions={passing} />
    </>
  );
}

function Older({ archived }: { archived: boolean }) {
  const older = useCell(olderSessions);
  const progress = useCell(archiveProgress);
  const more = archived ? progress.started && progress.cursor : older;
  if (!more) return null;
  return (
    <Button
      look="quiet"
      className="mt-2 w-full"
      onClick={() => void (archived ? loadArchived() : loadOlderSessions().catch(toastError))}
    >
      Load older sessions
    </Button>
  );
}
