import { type ChangeProject, findProject, type Project, type SessionView } from "@gantry/protocol";
import { useEffect, useMemo } from "react";
import { Cell, useCell } from "./cell.ts";
import { client } from "./connection/client.ts";
import { connection } from "./connection/connection.ts";
import { firstPaint } from "./first-paint.ts";
import { storedCell } from "./stored-cell.ts";
import { toastError } from "./toasts.ts";

/** The projects in the daemon's order: pinned ones first. */
export const projects = new Cell<readonly Project[]>([]);

/** The project that board and sidebar show; empty for all. It survives a reload. */
export const shownProject = storedCell<string>("project", "");

/** Loads the projects. Never throws; known ones stay. */
export async function loadProjects(): Promise<void> {
  try {
    const { projects: found } = await client.projects.list();
    projects.set(found);
    if (!found.some(({ id }) => id === shownProject.get())) shownProject.set("");
  } catch {
    // The banner shows that the daemon is unreachable.
  }
}

/** Changes a project and loads the list again. A failure is shown as a toast. */
export async function changeProject(id: string, body: ChangeProject): Promise<void> {
  try {
    await client.projects.change(id, body);
  } catch (error) {
    toastError(error);
  }
  await loadProjects();
}

/** The project that is shown, if one is. */
export function useShownProject(): Project | undefined {
  const id = useCell(shownProject);
  return useCell(projects).find((project) => project.id === id);
}

/** The projects, loaded again when a session starts in another folder. */
export function useProjects(sessions: readonly SessionView[]): readonly Project[] {
  const all = useCell(projects);
  const online = useCell(connection).state === "online";
  const folders = useMemo(() => [...new Set(sessions.map(({ cwd }) => cwd))].sort().join("\n"), [sessions]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder may be another project.
  useEffect(() => {
    if (online) void firstPaint.then(loadProjects);
  }, [folders, online]);
  return all;
}

/** The sessions of a project; all of them without one. */
export function sessionsOf(
  sessions: readonly SessionView[],
  project: Project | undefined,
  all: readonly Project[],
): readonly SessionView[] {
  if (!project) return sessions;
  return sessions.filter(({ cwd }) => findProject(all, cwd)?.id === project.id);
}

/** Pins a session in its project, or unpins it. */
export async function togglePin({ id, cwd }: Pick<SessionView, "id" | "cwd">): Promise<void> {
  const project = findProject(projects.get(), cwd);
  if (!project) return;
  await changeProject(project.id, project.pins.includes(id) ? { unpin: [id] } : { pin: [id] });
}

/** Whether a session is pinned; `undefined` if its folder is no project. */
export function pinState({ id, cwd }: Pick<SessionView, "id" | "cwd">, all: readonly Project[]): boolean | undefined {
  return findProject(all, cwd)?.pins.includes(id);
}
