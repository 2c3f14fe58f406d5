import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type AddProject,
  type ChangeDefaults,
  type ChangeProject,
  findProject,
  GantryError,
  lastActivity,
  type Project,
  type ProjectColor,
  type ProjectDetails,
  projectColors,
  type ResolvedDefaults,
} from "@gantry/protocol";
import { isInside, realPath, type TrustStore } from "@gantry/trust";
import type { Records, SessionRow } from "../log/port.ts";
import { sessionFolder } from "../session/folders.ts";
import type { ProjectService } from "./handlers.ts";
import { type LaneCommands, readLaneCommands, writeLaneCommands } from "./lane-commands.ts";
import { findProjectPlace, listProjectFolders, type ProjectPlace } from "./project-folders.ts";

/** What the daemon stores: how a project is shown. Its defaults and commands are in its own files. */
export type ProjectRecord = {
  root: string;
  name?: string;
  color?: ProjectColor;
  pinned?: boolean;
  pins?: string[];
};

export type ProjectsDeps = {
  records: Records<ProjectRecord>;
  /** Every session, archived ones too. */
  sessions: () => Iterable<SessionRow>;
  /** GANTRY_HOME. Folders in it are Gantry's own. */
  home: string;
  lanesFolder: string;
  trust: TrustStore;
  defaults: {
    get(query: { cwd: string }): Promise<ResolvedDefaults>;
    set(body: ChangeDefaults): Promise<ResolvedDefaults>;
  };
};

type Place = ProjectPlace & { folders: string[] };
type Use = { sessions: Set<string>; active: number; usedAt: string };

/** The repositories of all sessions, and the folders that the user added. */
export class Projects implements ProjectService {
  readonly #deps: ProjectsDeps;

  constructor(deps: ProjectsDeps) {
    this.#deps = deps;
  }

  list(): Project[] {
    const sessions = [...this.#deps.sessions()].filter(({ view }) => view.identity === undefined);
    const records = new Map(this.#deps.records.list().map((record) => [record.root, record]));
    const places = this.#findPlaces(sessions, [...records.keys()]);
    const uses = countUses(places, sessions);
    const projects = places.map((place) => present(place, records.get(place.root), uses.get(place)));
    return projects.sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        (b.usedAt ?? "").localeCompare(a.usedAt ?? "") ||
        a.name.localeCompare(b.name),
    );
  }

  async get(id: string): Promise<ProjectDetails> {
    return this.#describe(this.#require(id));
  }

  async add({ path }: AddProject): Promise<ProjectDetails> {
    const { records, home } = this.#deps;
    const { root } = findProjectPlace(sessionFolder({ cwd: path }));
    if (isInside(root, realPath(home))) {
      throw new GantryError("invalid", `${root} is a folder of Gantry itself.`, { remedy: "Choose another folder." });
    }
    const id = projectId(root);
    if (!records.get(id)) records.put(id, { root });
    return this.get(id);
  }

  /** The files are written first: if they cannot be, nothing else has changed. */
  async change(id: string, body: ChangeProject): Promise<ProjectDetails> {
    const { records, defaults, trust } = this.#deps;
    const project = this.#require(id);
    const { name, color, pinned, pin = [], unpin = [], setup, check, ...settings } = body;
    requireFiles(project, setup !== undefined || check !== undefined, Object.keys(settings).length > 0);
    if (Object.values(settings).some((value) => value !== undefined)) {
      await defaults.set({ scope: "project", cwd: project.root, ...settings });
    }
    if (setup !== undefined || check !== undefined) writeLaneCommands(project.root, { setup, check }, trust);
    const record = records.get(id) ?? { root: project.root };
    const pins = [...new Set([...(record.pins ?? []), ...pin])].filter((session) => !unpin.includes(session));
    records.put(id, {
      ...record,
      ...(name === undefined ? {} : { name: name ?? undefined }),
      ...(color === undefined ? {} : { color: color ?? undefined }),
      ...(pinned === undefined ? {} : { pinned }),
      pins,
    });
    return this.get(id);
  }

  remove(id: string): { removed: boolean } {
    const { records } = this.#deps;
    const { id: known } = this.#require(id);
    const removed = records.get(known) !== undefined;
    records.delete(known);
    return { removed };
  }

  /** Folders of sessions for pickers, the newest first: lanes count as their repository, Gantry's own folders do not. */
  recentFolders(used: readonly string[]): string[] {
    const home = realPath(this.#deps.home);
    const places = used.filter((folder) => existsSync(folder)).map((folder) => mainFolder(folder));
    return [...new Set(places)].filter((folder) => !isInside(folder, home));
  }

  #require(id: string): Project {
    const found = this.list().find((project) => project.id === id);
    if (found) return found;
    throw new GantryError("no_such_project", `There is no project ${id}.`, { remedy: "See `gantry projects`." });
  }

  /** Repositories of sessions, and added folders. Another folder is a project only after the user added it. */
  #findPlaces(sessions: readonly SessionRow[], added: readonly string[]): Place[] {
    const { home, lanesFolder } = this.#deps;
    const own = realPath(home);
    const folders = [...new Set(sessions.map(({ cwd }) => cwd))];
    const used = folders.map(findProjectPlace).filter(({ repository, root }) => repository && !isInside(root, own));
    const all = new Map([...used, ...added.map(findProjectPlace)].map((place) => [place.root, place]));
    return [...all.values()]
      .filter(({ root }) => existsSync(root))
      .map((place) => ({ ...place, folders: listProjectFolders(place, lanesFolder) }));
  }

  async #describe(project: Project): Promise<ProjectDetails> {
    const { defaults, trust } = this.#deps;
    const { project: own, projectFile, withheld } = await defaults.get({ cwd: project.root });
    const commands: LaneCommands = project.repository ? readLaneCommands(project.root, trust) : {};
    return {
      ...project,
      defaults: own,
      ...(projectFile === undefined ? {} : { file: projectFile }),
      withheld: [...withheld, ...(commands.mistakes ?? [])],
      ...(commands.setup ? { setup: commands.setup } : {}),
      ...(commands.check ? { check: commands.check } : {}),
    };
  }
}

function countUses(places: readonly Place[], sessions: readonly SessionRow[]): Map<Place, Use> {
  const uses = new Map<Place, Use>();
  for (const { id, cwd, view } of sessions) {
    const place = findProject(places, cwd);
    if (!place) continue;
    const at = lastActivity(view).at;
    const use = uses.get(place) ?? { sessions: new Set(), active: 0, usedAt: at };
    use.sessions.add(id);
    if (!view.archived) use.active++;
    if (at > use.usedAt) use.usedAt = at;
    uses.set(place, use);
  }
  return uses;
}

function present(place: Place, record: ProjectRecord | undefined, use: Use | undefined): Project {
  const { root, repository, folders } = place;
  return {
    id: projectId(root),
    root,
    name: record?.name ?? basename(root, ".git"),
    color: record?.color ?? colorOf(root),
    pinned: record?.pinned ?? false,
    pins: (record?.pins ?? []).filter((session) => use?.sessions.has(session)),
    repository,
    folders,
    sessions: use?.active ?? 0,
    ...(use ? { usedAt: use.usedAt } : {}),
  };
}

function requireFiles(project: Project, hasCommands: boolean, hasDefaults: boolean): void {
  const { root, name, repository } = project;
  if (hasCommands && !repository) {
    throw new GantryError("invalid", `${name} is no repository: set-up and check belong to lanes of a repository.`, {
      remedy: "Run git init in it first.",
    });
  }
  if ((hasCommands || hasDefaults) && repository && !existsSync(join(root, ".git"))) {
    throw new GantryError("invalid", `${name} is a bare repository: it has no work tree for the files of a project.`);
  }
}

function mainFolder(folder: string): string {
  const { root, repository } = findProjectPlace(folder);
  // A folder below the root of a checkout was chosen on purpose. Only other work trees are replaced.
  return repository && !isInside(realPath(folder), root) ? root : realPath(folder);
}

/** The same path has the same id in every daemon. */
function projectId(root: string): string {
  return `prj_${createHash("sha256").update(root).digest("hex").slice(0, 16)}`;
}

function colorOf(root: string): ProjectColor {
  const byte = createHash("sha256").update(root).digest().readUInt8(0);
  return projectColors[byte % projectColors.length] ?? "blue";
}
