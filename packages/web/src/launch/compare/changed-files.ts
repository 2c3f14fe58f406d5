import type { Comparison } from "@gantry/protocol";

/** A file and how many lanes changed it. */
export type ChangedFile = { path: string; lanes: number };

/** Every file changed in any lane: files changed in most lanes first, then by name. */
export function changedFiles({ lanes }: Comparison): ChangedFile[] {
  const counts = new Map<string, number>();
  for (const { diff } of lanes) {
    for (const path of new Set(diff.files.map((file) => file.to ?? file.path))) {
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([path, count]) => ({ path, lanes: count }))
    .sort((a, b) => b.lanes - a.lanes || a.path.localeCompare(b.path, "en"));
}
