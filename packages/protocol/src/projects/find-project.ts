import type { Project } from "./schema.ts";

/** The project that a folder belongs to: the one with the innermost folder around it. Pure. */
export function findProject<P extends Pick<Project, "folders">>(projects: readonly P[], cwd: string): P | undefined {
  let found: P | undefined;
  let length = -1;
  for (const project of projects) {
    for (const folder of project.folders) {
      if (folder.length <= length || !isAtOrBelow(cwd, folder)) continue;
      found = project;
      length = folder.length;
    }
  }
  return found;
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
