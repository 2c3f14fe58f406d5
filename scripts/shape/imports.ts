import { FOLDERS, PACKAGES } from "./order.ts";
import type { Source } from "./sources.ts";

/** Shared parts of `agents/`, which every agent's folder may import. */
const SHARED_AGENT_FOLDERS = ["finding", "probing", "acp", "json-lines", "kit", "plain", "history", "project"];

/** Type-only modules that earlier folders may import. */
const PORTS = ["agents/contract.ts", "log/port.ts", "limits/port.ts", "session/api.ts", "text-helper/port.ts"];

/** Problems of direction: packages, ordered folders, agents that import each other. Tests may import anything. */
export function checkImports(sources: readonly Source[]): string[] {
  return sources.filter(({ isTest, path }) => !isTest && path.startsWith("packages/")).flatMap(checkSource);
}

/** Folders that the order does not list, and listed ones that do not exist. */
export function checkFolderLists(sources: readonly Source[]): string[] {
  return Object.entries(FOLDERS).flatMap(([name, order]) => {
    const existing = new Set(sources.flatMap(({ path }) => folderOf(path, name) ?? []));
    return [
      ...[...existing]
        .filter((folder) => !order.includes(folder))
        .map((folder) => `packages/${name}/src/${folder}: add it to scripts/shape/order.ts`),
      ...order
        .filter((folder) => !existing.has(folder))
        .map((folder) => `scripts/shape/order.ts: ${name} has no folder ${folder}`),
    ];
  });
}

function checkSource({ path, imports, packages }: Source): string[] {
  const own = path.split("/")[1] ?? "";
  const foreign = packages.flatMap((target) => /^@gantry\/([a-z]+)/.exec(target)?.[1] ?? []);
  return [
    ...foreign
      .filter((other) => other !== own && !PACKAGES[own]?.includes(other))
      .map((other) => `${path}: ${own} may not import @gantry/${other}`),
    ...imports.flatMap((target) => [...checkOrder(path, target, own), ...checkAgents(path, target)]),
  ];
}

function checkOrder(path: string, target: string, own: string): string[] {
  const order = FOLDERS[own];
  const [here, there] = [folderOf(path, own), folderOf(target, own)];
  if (!here || !order?.includes(here) || here === there || PORTS.some((port) => target.endsWith(port))) return [];
  if (there !== undefined && !order.includes(there)) return [];
  if (there === undefined)
    return /\/(daemon|index)\.ts$/.test(target) ? [`${path}: only the entry imports ${target}`] : [];
  return order.indexOf(there) > order.indexOf(here)
    ? [`${path}: ${here}/ may not import ${there}/ (scripts/shape/order.ts)`]
    : [];
}

/** `agents/<a>/` never imports `agents/<b>/`, except for the shared parts. */
function checkAgents(path: string, target: string): string[] {
  const AGENT = /^packages\/runtime\/src\/agents\/([^/]+)\/.+/;
  const [here, there] = [AGENT.exec(path)?.[1], AGENT.exec(target)?.[1]];
  if (!here || !there || here === there || SHARED_AGENT_FOLDERS.includes(there)) return [];
  return [`${path}: agents never import each other (${target})`];
}

function folderOf(path: string, name: string): string | undefined {
  const parts = path.split("/");
  return parts[0] === "packages" && parts[1] === name && parts[2] === "src" && parts.length > 4 ? parts[3] : undefined;
}
