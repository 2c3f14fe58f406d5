import { MOST_SLOTS } from "@gantry/protocol";

/** A launch fits whole. */
export const MAX_TILES = MOST_SLOTS;

/** The sessions of an address such as `a+b+c`, each once. */
export function parseTiles(address: string): string[] {
  return [...new Set(address.split("+").filter((id) => id !== ""))].slice(0, MAX_TILES);
}

export function tilesPath(ids: readonly string[]): string {
  return ids.length === 0 ? "/" : `/s/${ids.join("+")}`;
}

/** Adds a tile after another one, or at the end. A tile that is already shown stays in place. */
export function addTile(ids: readonly string[], id: string, after?: string): string[] {
  if (ids.includes(id) || ids.length >= MAX_TILES) return [...ids];
  const at = after === undefined ? -1 : ids.indexOf(after);
  return ids.toSpliced(at < 0 ? ids.length : at + 1, 0, id);
}

export function removeTile(ids: readonly string[], id: string): string[] {
  return ids.filter((other) => other !== id);
}

/** Moves a tile to a place. Places outside of the list mean its ends. */
export function moveTile(ids: readonly string[], id: string, to: number): string[] {
  if (!ids.includes(id)) return [...ids];
  const rest = removeTile(ids, id);
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, id);
}

/** The tile `step` places after another one, around the ends. */
export function nextTile(ids: readonly string[], id: string | undefined, step: number): string | undefined {
  const at = id === undefined ? -1 : ids.indexOf(id);
  if (at < 0) return step > 0 ? ids[0] : ids.at(-1);
  return ids[(at + step + ids.length) % ids.length];
}
