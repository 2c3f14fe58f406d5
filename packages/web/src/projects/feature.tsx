import { FolderGit2 } from "lucide-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { Feature } from "../shell/feature.ts";
import { shownProject } from "../store/projects.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const ProjectList = lazyView(() => import("./project-list.tsx"));
const ProjectPage = lazyView(() => import("./project-page.tsx"));

/** The address of a project's board: shows the project, then opens the board. */
function ProjectBoard({ id }: { id: string }) {
  const [, go] = useLocation();
  useEffect(() => {
    shownProject.set(id);
    go("/", { replace: true });
  }, [id, go]);
  return null;
}

export const projectsFeature: Feature = {
  routes: [
    { path: "/projects", title: "Projects", view: ProjectList },
    { path: "/projects/:id", title: "Project", view: ProjectPage },
    { path: "/p/:id", view: ProjectBoard },
  ],
  navigation: { href: "/projects", name: "Projects", icon: <FolderGit2 size={15} />, keys: "g p" },
};
