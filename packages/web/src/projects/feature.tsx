import { FolderGit2 } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const ProjectList = lazyView(() => import("./project-list.tsx"));
const ProjectPage = lazyView(() => import("./project-page.tsx"));
const ProjectBoard = lazyView(() => import("./project-board.tsx"));

export const projectsFeature: Feature = {
  routes: [
    { path: "/projects", title: "Projects", view: ProjectList },
    { path: "/projects/:id", title: "Project", view: ProjectPage },
    { path: "/p/:id", view: ProjectBoard },
  ],
  navigation: { href: "/projects", name: "Projects", icon: <FolderGit2 size={15} />, keys: "g p" },
};
