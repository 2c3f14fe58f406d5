import type { AddProject, ChangeProject, Project, ProjectDetails } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Projects: repositories with a name, a colour, defaults and pins. */
export interface ProjectService {
  list(): Project[];
  /** Throws `no_such_project`. */
  get(id: string): Promise<ProjectDetails>;
  /** Throws `invalid` for what is no folder, and for folders of Gantry itself. */
  add(body: AddProject): Promise<ProjectDetails>;
  /** Throws `no_such_project`, `invalid` or `conflict`. */
  change(id: string, body: ChangeProject): Promise<ProjectDetails>;
  /** Throws `no_such_project`. */
  remove(id: string): { removed: boolean };
}

type ProjectHandlers = Pick<Handlers, "listProjects" | "getProject" | "addProject" | "changeProject" | "removeProject">;

export function projectHandlers(projects: ProjectService): ProjectHandlers {
  return {
    listProjects: () => ({ json: { projects: projects.list() } }),
    getProject: async ({ params }) => ({ json: await projects.get(params.id) }),
    addProject: async ({ body }) => ({ json: await projects.add(body) }),
    changeProject: async ({ params, body }) => ({ json: await projects.change(params.id, body) }),
    removeProject: ({ params }) => ({ json: projects.remove(params.id) }),
  };
}
