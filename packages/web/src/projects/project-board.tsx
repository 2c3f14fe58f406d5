import { useEffect } from "react";
import { useLocation } from "wouter";
import { shownProject } from "../store/projects.ts";

/** The address of a project's board: shows the project, then opens the board. */
export default function ProjectBoard({ id }: { id: string }) {
  const [, go] = useLocation();
  useEffect(() => {
    shownProject.set(id);
    go("/", { replace: true });
  }, [id, go]);
  return null;
}
