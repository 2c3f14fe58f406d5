import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { z } from "zod";
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
  /** Whether the folder was trusted at all. Covers programs that load the project's own code, such as linters. */
  isFolderTrusted(): boolean;
  /** Whether a file or program belongs to the project, by its own path, its real path or a link between them. */
  isProjectPath(path: string): boolean;
  /** For a configuration file. `content` is what the caller has read and will use. */
  isContentTrusted(file: string, content: string | Buffer): boolean;
  /** For a program that is about to be started. A program outside of the project needs no trust. */
  isProgramTrusted(program: string): boolean;
  /** PATH as programs may be looked up in it: in a folder that is not trusted, without the project's own folders. */
  searchPath(path: string): string;
}

export type TrustPlace = ProjectPlace & { agentDir: string };

const storeSchema = z.object({
  folders: z.record(z.string(), z.object({ files: z.record(z.string(), z.string()) })).default({}),
});
type Store = z.output<typeof storeSchema>;

export function openProjectTrust(place: TrustPlace): ProjectTrust {
  const root = realPath(place.cwd);
  const folders = projectFolders(place);
  const record = () => readStore(place.agentDir).folders[root];
  const isProjectPath = (path: string) => passesThrough(path, folders);
  return {
    root,
    isFolderTrusted: () => record() !== undefined,
    isProjectPath,
    isContentTrusted: (file, content) => record()?.files[keyOf(file)] === hashOf(content),
    isProgramTrusted(program) {
      if (!isProjectPath(program)) return true;
      const hash = programHash(program, folders);
      return hash !== undefined && record()?.files[keyOf(program)] === hash;
    },
    searchPath: (path) => pathOutside(path, record() === undefined ? folders : []),
  };
}

/** How to trust a folder, as text for the model and the person. */
export function trustRemedy({ root }: Pick<ProjectTrust, "root">): string {
  return `To allow this, the user runs: gantry trust ${/^[\w./-]+$/.test(root) ? root : JSON.stringify(root)}`;
}

/** Lists the entries of PATH that are not used; `undefined` if there are none. */
export function pathNotice(trust: ProjectTrust, path: string): string | undefined {
  const used = new Set(trust.searchPath(path).split(delimiter));
  const unused = path.split(delimiter).filter((entry) => entry !== "" && !used.has(entry));
  if (unused.length === 0) return undefined;
  return `These entries of PATH are not used, because they are relative or lie in a project that you have not trusted: ${unused.join(", ")}. ${trustRemedy(trust)}`;
}

/** Records the folder with the content that these files have now, in place of what was recorded before. */
export function trustFolder(
  place: TrustPlace,
  files: { configs: readonly string[]; programs: readonly string[] },
): void {
  const root = realPath(place.cwd);
  const folders = projectFolders(place);
  const hashes: Record<string, string> = {};
  for (const file of files.configs) hashes[keyOf(file)] = hashOf(readFileSync(file));
  for (const program of files.programs) {
    const hash = programHash(program, folders);
    if (hash !== undefined) hashes[keyOf(program)] = hash;
  }
  const store = readStore(place.agentDir);
  writeStore(place.agentDir, { folders: { ...store.folders, [root]: { files: hashes } } });
}

/** Whether the folder had been trusted. */
export function distrustFolder(place: TrustPlace): boolean {
  const { [realPath(place.cwd)]: known, ...folders } = readStore(place.agentDir).folders;
  if (known) writeStore(place.agentDir, { folders });
  return known !== undefined;
}

/** The file's own name in the real path of its folder, so that a link to the project makes no difference. */
function keyOf(file: string): string {
  return join(realPath(dirname(file)), basename(file));
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The content of a program that the project holds; for a link that leads out of the project, where it leads. */
function programHash(program: string, folders: readonly string[]): string | undefined {
  const real = realPath(program);
  try {
    return isInside(real, folders) ? hashOf(readFileSync(real)) : hashOf(`link to ${real}`);
  } catch {
    return undefined;
  }
}

/** A store that is missing or damaged trusts nothing. */
function readStore(agentDir: string): Store {
  try {
    return storeSchema.parse(JSON.parse(readFileSync(storeFile(agentDir), "utf8")));
  } catch {
    return { folders: {} };
  }
}

function writeStore(agentDir: string, store: Store): void {
  mkdirSync(agentDir, { recursive: true, mode: 0o700 });
  const draft = `${storeFile(agentDir)}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(store, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, storeFile(agentDir));
}

function storeFile(agentDir: string): string {
  return join(agentDir, "trusted-projects.json");
}
