import { rmSync } from "node:fs";
import { GantryError, type HunkRange } from "@gantry/protocol";
import type { RawPath } from "../checkpoints/work-tree/paths.ts";
import type { WorkTree } from "../checkpoints/work-tree/work-tree.ts";
import { isSameHunk, splitHunks } from "./hunks.ts";
import { OWN_COMMIT } from "./moments.ts";

const PATCH_BYTES = 64 * 1024 * 1024;
/**
 * The commit `current` without some of the hunks that lead from `start` to it. Git applies them in reverse to an index of
 * Gantry, so bytes, missing newlines and modes are exact. Throws `conflict` if a hunk is not part of the patch.
 */
export async function withoutHunks(
  tree: WorkTree,
  { start, current, path, hunks }: { start: string; current: string; path: RawPath; hunks: readonly HunkRange[] },
): Promise<string> {
  const { shadow } = tree;
  const name = Buffer.from(path, "latin1").toString("utf8");
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--no-renames", "--binary"];
  const args = [
    "diff-tree",
    "-r",
    "-p",
    "-U3",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    ...plain,
    start,
    current,
    "--",
    name,
  ];
  const { bytes } = await shadow.read(args, { most: PATCH_BYTES });
  const patch = splitHunks(bytes.toString("latin1"));
  const chosen = patch.hunks.filter((hunk) => hunks.some((wanted) => isSameHunk(hunk, wanted)));
  if (chosen.length !== hunks.length) {
    throw new GantryError("conflict", `${name} changed since its changes were listed. Nothing was discarded.`, {
      remedy: "List the changes again.",
    });
  }
  const input = Buffer.from(patch.head + chosen.map(({ text }) => text).join(""), "latin1");
  return tree.runLocked(async () => {
    const index = `${shadow.index}.discard`;
    const env = { GIT_INDEX_FILE: index };
    try {
      await shadow.write(["read-tree", current], { env });
      await shadow.write(["apply", "--cached", "--reverse", "--whitespace=nowarn", "-"], { env, input });
      const written = (await shadow.write(["write-tree", "--missing-ok"], { env })).out.trim();
      const made = await shadow.write(["commit-tree", "--no-gpg-sign", written, "-p", current], {
        input: "Gantry discard\n",
        env: OWN_COMMIT,
      });
      return made.out.trim();
    } finally {
      rmSync(index, { force: true });
    }
  });
}
