import { lowerCase, maskOf, type PathKind, type PathTable } from "./path-table.ts";

/** A path that matches. `positions`: the characters of the path that the query matched. */
export type FileMatch = { path: string; kind: PathKind; positions: number[] };

/** Base scores of the kinds of match. Scores within a kind differ by less than the distance between two kinds. */
const STEP = 1000;
const LETTERS_IN_PATH = STEP;
const MIDDLE_OF_PATH = 2 * STEP;
const LETTERS_IN_NAME = 3 * STEP;
const PIECE_OF_PATH = 4 * STEP;
const PIECE_OF_NAME = 5 * STEP;
const EXACT = 500;
const AT_START = 200;
const NEW_RUN = 20;
const NONE = -1;
/** Lengths of queries whose matches are stored. */
const REMEMBERED = 64;

/**
 * Fuzzy search in one table: the paths that contain all letters of a query in order, ignoring case, best first. A
 * substring of the name ranks above a substring of the path, then scattered letters; word starts above word middles; then
 * the shorter path. Without a query, the shallowest paths. The matches of a query are the candidates of every longer one,
 * so each further letter costs less.
 */
export class PathSearch {
  readonly #table: PathTable;
  /** The matches of the beginnings of the last query, the shortest first. */
  #earlier: { query: string; matches: Int32Array }[] = [];

  constructor(table: PathTable) {
    this.#table = table;
  }

  find(query: string, limit: number): FileMatch[] {
    const wanted = lowerCase(query.trim());
    this.#earlier = this.#earlier.filter((one) => wanted.startsWith(one.query)).slice(-REMEMBERED);
    const best = this.#rank(wanted, limit);
    return best.map((at) => this.#describe(at, wanted));
  }

  #rank(wanted: string, limit: number): number[] {
    const table = this.#table;
    const known = this.#earlier.at(-1);
    const count = known?.matches.length ?? table.paths.length;
    const mask = maskOf(wanted);
    const best = new BestOf(table, limit);
    const matches = new Int32Array(count);
    let found = 0;
    for (let i = 0; i < count; i++) {
      const at = known ? known.matches[i]! : i;
      if ((table.masks[at]! & mask) !== mask) continue;
      const rating = wanted === "" ? -table.depths[at]! : score(table, at, wanted);
      if (rating === NONE && wanted !== "") continue;
      matches[found++] = at;
      best.add(at, rating);
    }
    if (wanted !== "" && known?.query !== wanted)
      this.#earlier.push({ query: wanted, matches: matches.slice(0, found) });
    return best.indexes;
  }

  #describe(at: number, wanted: string): FileMatch {
    const { paths, kinds } = this.#table;
    return { path: paths[at]!, kind: kinds[at]!, positions: positionsOf(this.#table, at, wanted) };
  }
}

/** The best entries, sorted. Most candidates are rejected by one comparison with the last of them. */
class BestOf {
  readonly indexes: number[] = [];
  readonly #ratings: number[] = [];
  readonly #table: PathTable;
  readonly #limit: number;

  constructor(table: PathTable, limit: number) {
    this.#table = table;
    this.#limit = limit;
  }

  add(at: number, rating: number): void {
    const { indexes } = this;
    if (indexes.length >= this.#limit) {
      if (this.#limit === 0 || !this.#isBetter(at, rating, this.#limit - 1)) return;
      indexes.pop();
      this.#ratings.pop();
    }
    let low = 0;
    for (let high = indexes.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.#isBetter(at, rating, middle)) high = middle;
      else low = middle + 1;
    }
    indexes.splice(low, 0, at);
    this.#ratings.splice(low, 0, rating);
  }

  #isBetter(at: number, rating: number, rank: number): boolean {
    const other = this.indexes[rank]!;
    if (rating !== this.#ratings[rank]) return rating > this.#ratings[rank]!;
    const [path, otherPath] = [this.#table.paths[at]!, this.#table.paths[other]!];
    return path.length === otherPath.length ? path < otherPath : path.length < otherPath.length;
  }
}

function score(table: PathTable, at: number, wanted: string): number {
  const lower = table.lower[at]!;
  const nameAt = table.nameAt[at]!;
  const first = table.offsets[at]!;
  const inPath = lower.indexOf(wanted);
  const inName = inPath < 0 || inPath >= nameAt ? inPath : lower.indexOf(wanted, nameAt);
  if (inName >= 0) return PIECE_OF_NAME + pieceScore(table, at, inName, wanted.length);
  if (inPath >= 0 && table.starts[first + inPath]) return PIECE_OF_PATH;
  const inNameCost = scatterCost(table, at, wanted, nameAt);
  if (inNameCost !== NONE) return LETTERS_IN_NAME - inNameCost;
  if (inPath >= 0) return MIDDLE_OF_PATH;
  const cost = scatterCost(table, at, wanted, 0);
  return cost === NONE ? NONE : LETTERS_IN_PATH - cost;
}

function pieceScore(table: PathTable, at: number, from: number, length: number): number {
  const lower = table.lower[at]!;
  const end = from + length;
  const isWhole = from === table.nameAt[at] && (end === lower.length || lower[end] === ".");
  return isWhole ? EXACT : table.starts[table.offsets[at]! + from] ? AT_START : 0;
}

/** The penalty for scattered letters: a cost per run, lower for a run at a word start. `NONE` if a letter is missing. */
function scatterCost({ codes, starts, offsets }: PathTable, at: number, wanted: string, from: number): number {
  const end = offsets[at + 1]!;
  let next = offsets[at]! + from;
  let cost = 0;
  let last = NONE;
  for (let letter = 0; letter < wanted.length; letter++) {
    const code = wanted.charCodeAt(letter);
    while (next < end && codes[next] !== code) next++;
    if (next === end) return NONE;
    if (next - 1 !== last) cost += starts[next] ? NEW_RUN / 4 : NEW_RUN;
    last = next++;
  }
  return Math.min(cost, STEP - 1);
}

function positionsOf(table: PathTable, at: number, wanted: string): number[] {
  const lower = table.lower[at]!;
  const nameAt = table.nameAt[at]!;
  const inName = lower.indexOf(wanted, nameAt);
  const isScattered = inName < 0 && scatterCost(table, at, wanted, nameAt) !== NONE;
  const piece = inName >= 0 ? inName : isScattered ? NONE : lower.indexOf(wanted);
  if (piece >= 0) return Array.from(wanted, (_, i) => piece + i);
  let next = isScattered ? nameAt : 0;
  return Array.from(wanted, (letter) => {
    const position = lower.indexOf(letter, next);
    next = position + 1;
    return position;
  });
}
