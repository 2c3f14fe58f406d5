/** What a path is compared by, worked out once for many queries. */
export type Candidate = { path: string; kind: "file" | "folder"; lower: string; nameAt: number };

export function candidate(path: string, kind: Candidate["kind"]): Candidate {
  return { path, kind, lower: path.toLowerCase(), nameAt: path.lastIndexOf("/") + 1 };
}

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

/**
 * Fuzzy match, best first: candidates that contain all letters of `query` in order, ignoring case. A substring of the name
 * ranks above a substring of the path, then scattered letters; word starts above word middles; then the shorter path.
 * Without a query, the shallowest paths.
 */
export function rankPaths(candidates: readonly Candidate[], query: string, limit: number) {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return pickBest(candidates, (one) => -depth(one), limit);
  return pickBest(candidates, (one) => score(one, wanted), limit);
}

function pickBest(candidates: readonly Candidate[], rate: (one: Candidate) => number | undefined, limit: number) {
  const fitting: { one: Candidate; rating: number }[] = [];
  for (const one of candidates) {
    const rating = rate(one);
    if (rating !== undefined) fitting.push({ one, rating });
  }
  fitting.sort(
    (a, b) => b.rating - a.rating || a.one.path.length - b.one.path.length || (a.one.path < b.one.path ? -1 : 1),
  );
  const found = fitting.slice(0, limit).map(({ one: { path, kind } }) => ({ path, kind }));
  return { found, more: fitting.length > limit };
}

function depth({ path }: Candidate): number {
  let slashes = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) slashes++;
  return slashes;
}

function score(one: Candidate, wanted: string): number | undefined {
  const { path, lower, nameAt } = one;
  const inName = lower.indexOf(wanted, nameAt);
  if (inName >= 0) return PIECE_OF_NAME + pieceScore(one, inName, wanted.length);
  const inPath = lower.indexOf(wanted);
  if (inPath >= 0 && startsWord(path, inPath)) return PIECE_OF_PATH;
  const lettersInName = scatterPenalty(path, lower, wanted, nameAt);
  if (lettersInName !== undefined) return LETTERS_IN_NAME - lettersInName;
  if (inPath >= 0) return MIDDLE_OF_PATH;
  const lettersInPath = scatterPenalty(path, lower, wanted, 0);
  return lettersInPath === undefined ? undefined : LETTERS_IN_PATH - lettersInPath;
}

function pieceScore({ path, nameAt }: Candidate, at: number, length: number): number {
  const end = at + length;
  const whole = at === nameAt && (end === path.length || path[end] === ".");
  return whole ? EXACT : startsWord(path, at) ? AT_START : 0;
}

/** The penalty for scattered letters: a cost per run, lower for a run at a word start. */
function scatterPenalty(path: string, lower: string, wanted: string, from: number): number | undefined {
  let cost = 0;
  let at = from - 1;
  for (const letter of wanted) {
    const next = lower.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    if (next !== at + 1 || at < from) cost += startsWord(path, next) ? NEW_RUN / 4 : NEW_RUN;
    at = next;
  }
  return Math.min(cost, STEP - 1);
}

function startsWord(path: string, at: number): boolean {
  const before = path[at - 1];
  if (before === undefined || !/[\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Lu}/u.test(path[at] ?? "") && !/\p{Lu}/u.test(before);
}
