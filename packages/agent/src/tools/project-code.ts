import { openProjectTrust, type TrustPlace } from "../trust/project-trust.ts";
import { projectInterpreters } from "./eval/languages.ts";
import { projectLspFiles, readLspConfig } from "./lsp/config.ts";
import { projectMcpFiles } from "./mcp/config.ts";

/** Files of a project that Gantry runs, or that name programs that it runs, after the project is trusted. */
export type ProjectCode = { configs: string[]; programs: string[] };

/** The files in a folder that need trust now. Starts nothing. Never rejects. */
export async function findProjectCode(place: TrustPlace & { path: string }): Promise<ProjectCode> {
  const real = openProjectTrust(place);
  const always = () => true;
  const trust = { ...real, isFolderTrusted: always, isContentTrusted: always, isProgramTrusted: always };
  const places = { ...place, trust };
  const { servers } = await readLspConfig(places);
  const programs = [...servers.map((server) => server.resolvedCommand), ...projectInterpreters(place.cwd)];
  return {
    configs: [...projectLspFiles(places), ...projectMcpFiles(place.cwd)],
    programs: [...new Set(programs)].filter((program) => real.isProjectPath(program)),
  };
}
