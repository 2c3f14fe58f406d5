import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AddProject, ChangeProject, Project, ProjectDetails } from "./schema.ts";

/** Projects: repositories with a name, a colour, defaults and pins. */
export const projectRoutes = {
  listProjects: {
    method: "GET",
    path: "/v1/projects",
    summary:
      "Lists the repositories of all sessions and lanes and the folders that were added: pinned ones first, then by last activity.",
    status: 200,
    response: z.object({ projects: z.array(Project) }),
    errors: [],
    client: "projects.list()",
  },
  getProject: {
    method: "GET",
    path: "/v1/projects/:id",
    summary: "Returns one project with its defaults, set-up and check.",
    status: 200,
    response: ProjectDetails,
    errors: ["no_such_project"],
    client: "projects.get(id)",
  },
  addProject: {
    method: "POST",
    path: "/v1/projects",
    summary: "Adds the repository of a folder, or the folder itself. Adding it again changes nothing.",
    body: AddProject,
    status: 200,
    response: ProjectDetails,
    errors: ["invalid"],
    client: "projects.add(body)",
  },
  changeProject: {
    method: "PATCH",
    path: "/v1/projects/:id",
    summary:
      "Changes name, colour, pins and defaults of a project; `null` removes a value. Set-up and check are written to `.gantry/lane.yml` and trusted.",
    body: ChangeProject,
    status: 200,
    response: ProjectDetails,
    errors: ["no_such_project", "invalid", "conflict"],
    client: "projects.change(id, body)",
  },
  removeProject: {
    method: "DELETE",
    path: "/v1/projects/:id",
    summary:
      "Removes name, colour and pins. The files and the sessions stay; a repository with sessions stays in the list.",
    status: 200,
    response: z.object({ removed: z.boolean() }),
    errors: ["no_such_project"],
    client: "projects.remove(id)",
  },
} as const satisfies Record<string, Route>;
