import { groupNames, type Project, type SessionView, sessionStatus } from "@gantry/protocol";
import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { useCell } from "../store/cell.ts";
import { sessionsOf, shownProject, useProjects } from "../store/projects.ts";
import { classes } from "../ui/classes.ts";
import type { PickerOption } from "../ui/picker/options.ts";
import { Picker } from "../ui/picker/picker.tsx";
import { ProjectDot } from "./project-dot.tsx";

/** Chooses the project that sidebar and board show, with the pinned projects below. Nothing without a project. */
export function ProjectSwitcher({ sessions }: { sessions: readonly SessionView[] }) {
  const all = useProjects(sessions);
  const shown = useCell(shownProject);
  const [here, go] = useLocation();
  const choose = (id: string) => {
    shownProject.set(id);
    if (!here.startsWith("/s/")) go("/");
  };
  const pinned = all.filter((project) => project.pinned);
  if (all.length === 0) return null;
  return (
    <section aria-label="Your projects" className="border-t border-line px-2 py-1.5">
      <div className="flex items-center">
        <Picker
          className="w-full max-w-none px-2 font-medium [&>span]:grow [&>span]:text-left"
          steps={[{ label: "Project", value: shown, options: optionsOf(all, go), onChoose: choose }]}
        />
      </div>
      {pinned.length > 0 && (
        <ul aria-label="Pinned projects" className="flex flex-col gap-px pt-0.5">
          {pinned.map((project) => (
            <PinnedProject
              key={project.id}
              project={project}
              isShown={project.id === shown}
              needed={<Needed sessions={sessionsOf(sessions, project, all)} />}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function optionsOf(all: readonly Project[], go: (path: string) => void): PickerOption[] {
  return [
    { value: "", label: "All projects" },
    ...all.map(({ id, name, root, pinned, sessions }) => ({
      value: id,
      label: name,
      about: root,
      group: pinned ? "Pinned" : "Projects",
      facts: { short: String(sessions), full: `${root}, ${sessions} ${sessions === 1 ? "session" : "sessions"}` },
    })),
    { value: "+manage", label: "Manage projects…", group: "Actions", run: () => go("/projects") },
  ];
}

type PinnedProjectProps = { project: Project; isShown: boolean; needed: React.ReactNode };

function PinnedProject({ project: { id, name, color }, isShown, needed }: PinnedProjectProps) {
  return (
    <li>
      <Link
        href={`/p/${id}`}
        aria-current={isShown ? "true" : undefined}
        className={classes(
          "flex h-7 items-center gap-2 rounded-md px-2 hover:bg-hover pointer-coarse:h-11",
          isShown ? "text-ink" : "text-soft",
        )}
      >
        <ProjectDot color={color} />
        <span className="grow truncate">{name}</span>
        {needed}
      </Link>
    </li>
  );
}

/** How many sessions of a project need the user. */
function Needed({ sessions }: { sessions: readonly SessionView[] }) {
  const count = useMemo(() => {
    const now = new Date();
    return sessions.filter((session) => !session.archived && sessionStatus(session, now).group === "needs_you").length;
  }, [sessions]);
  if (count === 0) return null;
  return (
    <span title={groupNames.needs_you} className="rounded-full bg-need-fill px-1.5 text-2xs font-semibold text-black">
      {count}
    </span>
  );
}
