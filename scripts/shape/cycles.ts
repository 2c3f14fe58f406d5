import type { Source } from "./sources.ts";

/** Import cycles between files, type imports included: Tarjan's strongly connected components of more than one file. */
export function findCycles(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports]));
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[] = [];

  function visit(path: string): void {
    index.set(path, index.size);
    low.set(path, index.size - 1);
    stack.push(path);
    onStack.add(path);
    for (const target of graph.get(path) ?? []) {
      if (!graph.has(target)) continue;
      if (!index.has(target)) visit(target);
      if (onStack.has(target)) low.set(path, Math.min(low.get(path) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(path) === index.get(path)) closeComponent(path);
  }

  function closeComponent(path: string): void {
    const members = stack.splice(stack.lastIndexOf(path));
    for (const member of members) onStack.delete(member);
    if (members.length > 1)
      cycles.push(
        `import cycle of ${members.length} files: ${members.sort().slice(0, 6).join(", ")}${members.length > 6 ? ", …" : ""}`,
      );
  }

  for (const { path } of sources) if (!index.has(path)) visit(path);
  return cycles;
}
