import { basename, delimiter, join } from "node:path";
import {
  hashCommand,
  hashText,
  openTrustStore,
  readRegularFile,
  type TrustItem,
  type TrustKind,
  trustCommand,
} from "@gantry/trust";
import { isInside } from "../permissions/paths.ts";
import { type ProjectPlace, passesThrough, pathOutside, projectFolders, realPath } from "./project-paths.ts";

/**
 * Whether the user has trusted what a project supplies and Gantry could run. Nothing is trusted by default. Trust holds for
 * one folder and for the exact content of each file, so a file that changes must be trusted again. The store is read at
 * every check, which is why a decision made in another terminal counts at once. Nothing here throws.
 */
export interface ProjectTrust {
  /** The real path of the session's folder: what the user has to trust. */
  readonly root: string;
  /** The folders whose content the project supplies. */
  readonly folders: readonly string[];
  /** Whether the folder was trusted at all. Covers programs that load the project's own code, such as linters. */
  isFolderTrusted(): boolean;
  /** Whether a file or program belongs to the project, by its own path, its real path or a link between them. */
  isProjectPath(path: string): boolean;
  /**
   * For a configuration file. `content` is what the caller has read and will use. The files that `commandLines` name are
   * part of it.
   */
  isContentTrusted(file: string, content: string | Buffer, commandLines?: readonly string[]): boolean;
  /** For a program that is about to be started. A program outside of the project needs no trust. */
  isProgramTrusted(program: string): boolean;
  /** PATH as programs may be looked up in it: in a folder that is not trusted, without the project's own folders. */
  searchPath(path: string): string;
}

/** `gantryHome`: GANTRY_HOME, which holds the store. Default: `.gantry` in the home. */
export type TrustPlace = ProjectPlace & { agentDir: string; gantryHome?: string };

/** An interpreter is larger than a script. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Opens the trust in the session's folder. The store is that of the daemon and the command line. */
export function openProjectTrust(place: TrustPlace): ProjectTrust {
  const root = realPath(place.cwd);
  const folders = projectFolders(place);
  const store = openTrustStore(place.gantryHome ?? join(place.home, ".gantry"), place.agentDir);
  const isProjectPath = (path: string) => passesThrough(path, folders);
  return {
    root,
    folders,
    isFolderTrusted: () => store.find(root) !== undefined,
    isProjectPath,
    isContentTrusted: (file, content, commandLines = []) =>
      store.covers(root, [describeConfig({ kind: "program", file, content, commandLines }, root)]),
    isProgramTrusted(program) {
      if (!isProjectPath(program)) return true;
      const item = describeProgram("program", program, folders);
      return item !== undefined && store.covers(root, [item]);
    },
    searchPath: (path) => pathOutside(path, store.find(root) ? [] : folders.filter((folder) => !store.find(folder))),
  };
}

/** How to trust a folder, as text for the model and the person. */
export function trustRemedy({ root }: Pick<ProjectTrust, "root">): string {
  return `To allow this, the user runs: ${trustCommand(root)}`;
}

/** Lists the entries of PATH that are not used; `undefined` if there are none. */
export function pathNotice(trust: ProjectTrust, path: string): string | undefined {
  const used = new Set(trust.searchPath(path).split(delimiter));
  const unused = path.split(delimiter).filter((entry) => entry !== "" && !used.has(entry));
  if (unused.length === 0) return undefined;
  return `These entries of PATH are not used, because they are relative or lie in a project that you have not trusted: ${unused.join(", ")}. ${trustRemedy(trust)}`;
}

/** The command lines of a configuration file by name. `texts`: every text in which the file could name another file. */
export type ConfigCommands = { file: string; commands: { name: string; line: string }[]; texts: string[] };

type ConfigFile = {
  kind: TrustKind;
  name?: string;
  file: string;
  content: string | Buffer;
  command?: string;
  commandLines: readonly string[];
};

/** A configuration file with the files that its command lines name. Command lines run in the session's folder. */
export function describeConfig(config: ConfigFile, folder: string): TrustItem {
  const { kind, file, content, commandLines, name = basename(file), command = "" } = config;
  return { kind, name, file, command, hash: hashCommand(content, commandLines, folder) };
}

/** A program that the project supplies: its content, or, for a link that leads out of the project, where it leads. */
export function describeProgram(kind: TrustKind, program: string, folders: readonly string[]): TrustItem | undefined {
  const real = realPath(program);
  try {
    const hash = isInside(real, folders) ? hashText(readRegularFile(real, MOST_BYTES)) : hashText(`link to ${real}`);
    return { kind, name: basename(program), file: program, command: program, hash };
  } catch {
    return undefined;
  }
}
