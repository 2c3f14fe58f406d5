import { delimiter, isAbsolute } from "node:path";
import { hashText, readRegularFile, type TrustItem, type TrustKind } from "@gantry/trust";
import { hasExtensions } from "../../extensions/discovery/places.ts";
import { projectInterpreters } from "../../tools/eval/languages.ts";
import { projectLspCommands, readLspConfig } from "../../tools/lsp/config.ts";
import { projectMcpCommands } from "../../tools/mcp/config.ts";
import { realPath } from "../../trust/project-paths.ts";
import {
  type ConfigCommands,
  describeConfig,
  describeProgram,
  openProjectTrust,
  type TrustPlace,
} from "../../trust/project-trust.ts";

/** What the own agent would run of a folder's content after the folder is trusted. Starts nothing. Never rejects. */
export async function findProjectCode(place: TrustPlace & { path: string }): Promise<TrustItem[]> {
  const real = openProjectTrust(place);
  const always = () => true;
  const trust = { ...real, isFolderTrusted: always, isContentTrusted: always, isProgramTrusted: always };
  const places = { ...place, trust };
  const { servers } = await readLspConfig(places);
  const ofProject = (programs: readonly string[]) =>
    [...new Set(programs)].filter((program) => real.isProjectPath(program));
  const describe = (kind: TrustKind) => (program: string) => describeProgram(kind, program, real.folders) ?? [];
  return [
    ...(await projectLspCommands(places)).flatMap((file) => describeCommands("language-server", file, real.root)),
    ...(await projectMcpCommands(place.cwd)).flatMap((file) => describeCommands("mcp-server", file, real.root)),
    ...ofProject(servers.map(({ resolvedCommand }) => resolvedCommand)).flatMap(describe("program")),
    ...ofProject(projectInterpreters(place.cwd)).flatMap(describe("kernel")),
    ...(await findExtensions(place)),
    ...ofProject(place.path.split(delimiter).filter((entry) => isAbsolute(entry))).map(describeEntry),
  ];
}

/** Files of Claude Code count even if the user's settings leave them out: the list does not depend on settings. */
async function findExtensions(place: TrustPlace): Promise<TrustItem[]> {
  if (!hasExtensions(place, { extensions: [], claudeFiles: "project" })) return [];
  const { findProjectExtensions } = await import("../../extensions/discovery/discover.ts");
  return findProjectExtensions(place, "project");
}

/** One item for each command, all with the hash of the file. A file without a command is listed as well. */
function describeCommands(kind: TrustKind, { file, commands, texts }: ConfigCommands, folder: string): TrustItem[] {
  try {
    const content = readRegularFile(file);
    const all = commands.length > 0 ? commands : [{ name: undefined, line: "" }];
    return all.map(({ name, line }) =>
      describeConfig({ kind, name, file, content, command: line, commandLines: texts }, folder),
    );
  } catch {
    return [];
  }
}

function describeEntry(entry: string): TrustItem {
  return { kind: "search-path", name: "PATH", file: entry, command: entry, hash: hashText(`PATH ${realPath(entry)}`) };
}
