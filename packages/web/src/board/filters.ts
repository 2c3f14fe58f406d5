import type { SessionView } from "@gantry/protocol";
import { Cell, flushCells } from "../store/cell.ts";
import { shownProject } from "../store/projects.ts";
import { isUnread } from "../store/sessions/seen.ts";

export type Filters = {
  text: string;
  agent: string;
  folder: string;
  unread: boolean;
  /** Archived sessions instead of the others. */
  archived: boolean;
};

export const noFilters: Filters = { text: "", agent: "", folder: "", unread: false, archived: false };

/** The board's filters. They survive navigation within the page, and each project has its own. */
export const filters = new Cell<Filters>(noFilters);

const ofProject = new Map<string, Filters>();
let shown = shownProject.get();

shownProject.subscribe(() => {
  ofProject.set(shown, filters.get());
  shown = shownProject.get();
  filters.set(ofProject.get(shown) ?? noFilters);
});

export function setFilter<K extends keyof Filters>(key: K, value: Filters[K]): void {
  filters.update((all) => ({ ...all, [key]: value }));
  // The text field must not lag behind typing.
  flushCells();
}

export function isFiltered({ text, agent, folder, unread }: Filters): boolean {
  return text.trim() !== "" || agent !== "" || folder !== "" || unread;
}

/** Whether a session passes the filters. Every word of the text has to occur on its card. */
export function passes(session: SessionView, filters: Filters, marks: Record<string, number>): boolean {
  if (session.archived !== filters.archived) return false;
  if (filters.agent && session.agent !== filters.agent) return false;
  if (filters.folder && session.cwd !== filters.folder) return false;
  if (filters.unread && !isUnread(session, marks)) return false;
  const terms = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return true;
  const card = cardText(session);
  return terms.every((term) => card.includes(term));
}

function cardText(session: SessionView): string {
  const { title, agent, model, mode, cwd, lane, last, inputs } = session;
  const asked = inputs.map((input) => input.title);
  return [title, agent, model, mode, cwd, lane, last?.text, ...asked].join("\n").toLowerCase();
}

/** The folders of the sessions in alphabetical order, each with the shortest name that is unique. */
export function foldersOf(sessions: readonly SessionView[]): { path: string; name: string }[] {
  const paths = [...new Set(sessions.map((session) => session.cwd))];
  const named = paths.map((path) => ({ path, name: shortestName(path, paths) }));
  return named.sort((a, b) => a.name.localeCompare(b.name));
}

/** The last part of a path. */
export function folderName(path: string): string {
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

function shortestName(path: string, all: readonly string[]): string {
  const parts = path.split("/").filter(Boolean);
  for (let count = 1; count <= parts.length; count++) {
    const name = parts.slice(-count).join("/");
    if (all.filter((other) => other === path || other.endsWith(`/${name}`)).length === 1) return name;
  }
  return path;
}
