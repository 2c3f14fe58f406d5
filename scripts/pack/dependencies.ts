import type { Workspace, WorkspacePackage } from "./workspace.ts";

/** The Node that published packages need: `node:sqlite`, `require` of ES modules and type stripping of extensions. */
export const NODE_RANGE = ">=24";

/**
 * The dependencies of these packages that npm must install, with their exact versions. Published packages of the repository
 * get the version of this release. Throws if two packages pin different versions.
 */
export function outerDependencies(
  { packages }: Workspace,
  contained: readonly WorkspacePackage[],
  version: string,
): Record<string, string> {
  const result: Record<string, string> = {};
  const inside = new Set(contained.map(({ manifest }) => manifest.name));
  for (const { manifest } of contained) {
    for (const [name, pinned] of Object.entries(manifest.dependencies ?? {})) {
      if (inside.has(name)) continue;
      const wanted = packages.has(name) ? version : pinned;
      if (result[name] !== undefined && result[name] !== wanted)
        throw new Error(`${manifest.name} needs ${name} ${wanted}, another package ${result[name]}.`);
      result[name] = wanted;
    }
  }
  return Object.fromEntries(Object.entries(result).sort(([a], [b]) => (a < b ? -1 : 1)));
}
