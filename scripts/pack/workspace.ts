import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Manifest = {
  name: string;
  version: string;
  description?: string;
  license?: string;
  sideEffects?: boolean;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  publishConfig?: Record<string, unknown>;
};

/** A package of the repository. `folder` is its name below `packages/`. */
export type WorkspacePackage = { folder: string; path: string; manifest: Manifest };

export type Workspace = { version: string; description?: string; packages: ReadonlyMap<string, WorkspacePackage> };

/** All packages by name. */
export function readWorkspace(root: string): Workspace {
  const { version, description } = readManifest(root);
  const packages = new Map<string, WorkspacePackage>();
  for (const folder of readdirSync(join(root, "packages"))) {
    const path = join(root, "packages", folder);
    if (!existsSync(join(path, "package.json"))) continue;
    const manifest = readManifest(path);
    packages.set(manifest.name, { folder, path, manifest });
  }
  return { version, description, packages };
}

/** The packages that are published as libraries: those with `publishConfig`. `private` guards against publishing their sources. */
export function publishedPackages({ packages }: Workspace): WorkspacePackage[] {
  return [...packages.values()].filter(isPublished);
}

/**
 * A package and the packages that its tarball contains: its dependencies in the repository, and theirs, except the
 * published ones.
 */
export function containedPackages(workspace: Workspace, first: WorkspacePackage): WorkspacePackage[] {
  return reach(workspace, first, (each) => !isPublished(each));
}

/** A package and all packages of the repository that it depends on. */
export function allDependencies(workspace: Workspace, first: WorkspacePackage): WorkspacePackage[] {
  return reach(workspace, first, () => true);
}

function reach(
  { packages }: Workspace,
  first: WorkspacePackage,
  isWanted: (each: WorkspacePackage) => boolean,
): WorkspacePackage[] {
  const found = new Set([first]);
  for (const { manifest } of found) {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const next = packages.get(name);
      if (next && isWanted(next)) found.add(next);
    }
  }
  return [...found];
}

function isPublished({ manifest }: WorkspacePackage): boolean {
  return manifest.publishConfig !== undefined;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
