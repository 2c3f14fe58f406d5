import type { DiffSummary, FileChange } from "@gantry/protocol";
import { type RawPath, readablePath } from "./paths.ts";
import type { Reader } from "./refs.ts";

/** One path of two trees. Blob `0000…` and mode `000000` mean that it does not exist. */
export type Change = {
  path: RawPath;
  /** The new path of a rename. */
  to?: RawPath;
  letter: string;
  modes: [string, string];
  blobs: [string, string];
  /** Lines; absent for binary files. */
  counts?: [number, number];
};

const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--ignore-submodules=none"];
const NOTHING = "000000";
const SUBMODULE = "160000";

/** The differences between two commits by path. `renames` detects renames. */
export async function changesBetween(
  reader: Reader,
  from: string,
  to: string,
  { renames = true, only = [] as readonly RawPath[] } = {},
): Promise<Change[]> {
  const how = ["-r", "-z", "--raw", "--numstat", "--no-abbrev", renames ? "-M" : "--no-renames"];
  const paths = only.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const { bytes } = await reader.read(["diff-tree", ...PLAIN, ...how, from, to, "--", ...paths]);
  return parse(bytes.toString("latin1").split("\0"));
}

/** The changes as a patch with `context` lines; complete files only, as many as fit into `most` bytes. */
export async function patchBetween(
  reader: Reader,
  from: string,
  to: string,
  { context = 3, most, only = [] as readonly RawPath[] }: { context?: number; most: number; only?: readonly RawPath[] },
): Promise<{ patch: string; cut: boolean }> {
  const how = ["-r", "-p", "-M", `-U${context}`, "--src-prefix=a/", "--dst-prefix=b/"];
  const paths = only.map((path) => Buffer.from(path, "latin1").toString("utf8"));
  const { out, cut } = await reader.read(["diff-tree", ...PLAIN, ...how, from, to, "--", ...paths], { most });
  if (!cut) return { patch: out, cut };
  const last = out.lastIndexOf("\ndiff --git ");
  return { patch: last < 0 ? "" : out.slice(0, last + 1), cut };
}

/** The changes for a client, at most `most`. */
export function describeChanges(
  changes: readonly Change[],
  root: string,
  cwd: string,
  most = Number.POSITIVE_INFINITY,
): FileChange[] {
  return changes.slice(0, most).map((change) => {
    const { path, to, modes, counts } = change;
    const submodule = modes.includes(SUBMODULE);
    return {
      path: readablePath(root, cwd, path),
      kind: kindOf(change),
      ...(to === undefined ? {} : { to: readablePath(root, cwd, to) }),
      ...(counts && !submodule ? { additions: counts[0], deletions: counts[1] } : {}),
      ...(counts ? {} : { binary: true }),
      ...(submodule ? { submodule: true } : {}),
      ...(modes[0] === modes[1] || modes.includes(NOTHING) ? {} : { modes }),
    };
  });
}

export function sumChanges(changes: readonly Change[]): Pick<DiffSummary, "files" | "additions" | "deletions"> {
  const sum = (side: 0 | 1) => changes.reduce((total, { counts }) => total + (counts?.[side] ?? 0), 0);
  return { files: changes.length, additions: sum(0), deletions: sum(1) };
}

function kindOf({ letter, to }: Change): FileChange["kind"] {
  if (to !== undefined) return "move";
  if (letter === "A") return "add";
  return letter === "D" ? "delete" : "update";
}

/** The rows of `--raw`, then the lines of `--numstat` in the same order. */
function parse(fields: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  for (; fields[at]?.startsWith(":"); ) {
    const [before = "", after = "", old = "", now = "", letter = ""] = (fields[at] ?? "").slice(1).split(" ");
    const moved = letter[0] === "R";
    const path = fields[at + 1] as RawPath;
    const change: Change = { path, letter: letter[0] ?? "", modes: [before, after], blobs: [old, now] };
    changes.push(moved ? { ...change, to: fields[at + 2] as RawPath } : change);
    at += moved ? 3 : 2;
  }
  for (const change of changes) {
    const [additions = "-", deletions = "-", path] = (fields[at] ?? "").split("\t");
    if (additions !== "-") change.counts = [Number(additions), Number(deletions)];
    // A rename has both paths in the next two fields.
    at += path === "" ? 3 : 1;
  }
  return changes;
}
