import { GantryError, type HunkRange, type SessionView, type StageChanges, type StagedFile } from "@gantry/protocol";
import { requirePathInside } from "../../checkpoints/checkpoints.ts";
import type { TurnCheckpoints } from "../../checkpoints/turn-checkpoints.ts";
import type { RawPath } from "../../checkpoints/work-tree/paths.ts";
import type { WorkTree } from "../../checkpoints/work-tree/work-tree.ts";
import { checkWithheld } from "../../landing/merge/withheld.ts";
import type { Git } from "../../lanes/git/git.ts";
import { blobAt } from "../comments/anchor.ts";
import { splitHunks } from "../hunks.ts";
import type { Moments } from "../moments.ts";
import { spliceHunks, touchesHunk } from "./splice-hunks.ts";
import { listStaged } from "./staged-files.ts";

export type StagingDeps = { git: Git; moments: Moments; turnCheckpoints: TurnCheckpoints };

/** A version of a file in git: its mode and blob. */
type Version = { mode: string; blob: string };

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Adds to the user's index and removes from it. Whole files go through `git add` and `git reset`. For hunks, the content
 * between both versions is written as a blob, so that bytes and missing newlines are exact.
 */
export class Staging {
  readonly #deps: StagingDeps;

  constructor(deps: StagingDeps) {
    this.#deps = deps;
  }

  async stage(session: string, body: StageChanges): Promise<StagedFile[]> {
    const { view, tree, paths } = await this.#open(session, body);
    const { git } = this.#deps;
    const { root } = tree.place;
    await checkWithheld(git, root, [root]);
    const [path] = paths;
    const isPart = body.hunks && path !== undefined && (await this.#stageHunks(tree, view, path, body, body.hunks));
    if (!isPart) await git.write(root, ["add", "--all", "--", ...paths.map(pathspec)], { asUser: true });
    return listStaged(git, root, view.cwd);
  }

  async unstage(session: string, body: StageChanges): Promise<StagedFile[]> {
    const { view, tree, paths } = await this.#open(session, body);
    const { git } = this.#deps;
    const { root } = tree.place;
    const [path] = paths;
    const isPart = body.hunks && path !== undefined && (await this.#unstageHunks(tree, path, body, body.hunks));
    if (!isPart) await git.write(root, ["reset", "--quiet", "--", ...paths.map(pathspec)], { answers: [1] });
    return listStaged(git, root, view.cwd);
  }

  /** Returns false if the whole file is to be staged: a deletion has no lines. */
  async #stageHunks(
    tree: WorkTree,
    view: SessionView,
    path: RawPath,
    { seen }: StageChanges,
    hunks: readonly HunkRange[],
  ): Promise<boolean> {
    const { git } = this.#deps;
    const { root } = tree.place;
    const { commit } = await tree.snapshot();
    const shown = await blobAt(tree, commit, path);
    if (seen !== undefined && shown !== (await blobAt(tree, await this.#deps.moments.end(view, tree, seen), path)))
      throw makeConflict(path, "staged");
    if (shown === undefined) return false;
    const name = nameOf(path);
    const written = await git.write(root, ["hash-object", "-w", "--path", name, "--", name], { asUser: true });
    const staged = await this.#indexed(root, path);
    const now = { mode: staged?.mode ?? (await modeAt(tree, commit, path)), blob: written.out.trim() };
    await this.#write(tree, path, {
      from: staged,
      to: now,
      keep: (hunk) => hunks.some((one) => touchesHunk(hunk, one)),
    });
    return true;
  }

  /** Returns false if the whole file is to be unstaged: a staged deletion has no lines. */
  async #unstageHunks(
    tree: WorkTree,
    path: RawPath,
    { seen }: StageChanges,
    hunks: readonly HunkRange[],
  ): Promise<boolean> {
    const staged = await this.#indexed(tree.place.root, path);
    if (seen !== undefined && staged?.blob !== (await blobAt(tree, seen, path))) throw makeConflict(path, "unstaged");
    if (!staged) return false;
    const head = await this.#committed(tree.place.root, path);
    const keep = (hunk: HunkRange) => !hunks.some((one) => touchesHunk(hunk, one));
    await this.#write(tree, path, { from: head, to: staged, keep });
    return true;
  }

  /** Writes the version between two others to the index: the changes from `from` to `to` that `keep` accepts. */
  async #write(
    { place: { root } }: WorkTree,
    path: RawPath,
    { from, to, keep }: { from: Version | undefined; to: Version; keep: (hunk: HunkRange) => boolean },
  ): Promise<void> {
    const { git } = this.#deps;
    const before = from?.blob ?? (await git.write(root, ["hash-object", "-w", "--stdin"], { input: "" })).out.trim();
    const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--text", "-U0", before, to.blob];
    const { bytes } = await git.read(root, args, { answers: [1], most: MOST_BYTES });
    const { hunks } = splitHunks(bytes.toString("latin1"));
    const applied = hunks.filter(keep);
    if (applied.length === 0 && !from) {
      await git.write(root, ["update-index", "--force-remove", "--", nameOf(path)]);
      return;
    }
    const [oldText, newText] = await Promise.all([this.#text(root, before), this.#text(root, to.blob)]);
    const input = Buffer.from(spliceHunks(oldText, newText, applied), "latin1");
    const blob = (await git.write(root, ["hash-object", "-w", "--stdin"], { input })).out.trim();
    const mode = applied.length === hunks.length ? to.mode : (from?.mode ?? to.mode);
    await git.write(root, ["update-index", "--add", "--cacheinfo", `${mode},${blob},${nameOf(path)}`]);
  }

  async #text(root: string, blob: string): Promise<string> {
    const { bytes, cut } = await this.#deps.git.read(root, ["cat-file", "blob", blob], { most: MOST_BYTES });
    if (cut) throw new GantryError("invalid", "The file is too large to stage parts of it. Nothing was changed.");
    return bytes.toString("latin1");
  }

  async #indexed(root: string, path: RawPath): Promise<Version | undefined> {
    const { out } = await this.#deps.git.read(root, ["ls-files", "--stage", "-z", "--", pathspec(path)]);
    const [, mode, blob, stage] = /^(\d{6}) ([0-9a-f]+) (\d)\t/.exec(out) ?? [];
    if (stage !== undefined && stage !== "0")
      throw new GantryError("conflict", `${nameOf(path)} has an unresolved merge conflict.`, {
        remedy: "Resolve it, then stage the whole file.",
      });
    return mode && blob ? { mode, blob } : undefined;
  }

  async #committed(root: string, path: RawPath): Promise<Version | undefined> {
    const args = ["ls-tree", "-z", "--full-tree", "HEAD", "--", nameOf(path)];
    const { code, out } = await this.#deps.git.read(root, args, { answers: [128] });
    const [, mode, blob] = (code === 0 && /^(\d{6}) blob ([0-9a-f]+)\t/.exec(out)) || [];
    return mode && blob ? { mode, blob } : undefined;
  }

  async #open(session: string, { paths }: StageChanges) {
    const { moments, turnCheckpoints } = this.#deps;
    const view = moments.view(session);
    const tree = await moments.tree(view);
    const [busy] = turnCheckpoints.listRunningSessions(tree.place.root);
    if (busy)
      throw new GantryError(
        "turn_running",
        `A turn of ${busy} is running in ${tree.place.root}. Nothing was changed.`,
        {
          remedy: "Wait until it ends, or interrupt it.",
        },
      );
    return { view, tree, paths: paths.map((path) => requirePathInside(tree.place.root, view.cwd, path)) };
  }
}

async function modeAt({ shadow }: WorkTree, commit: string, path: RawPath): Promise<string> {
  const { out } = await shadow.read(["ls-tree", "-z", "--full-tree", commit, "--", nameOf(path)]);
  return out.slice(0, 6) === "100755" ? "100755" : "100644";
}

function nameOf(path: RawPath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function pathspec(path: RawPath): string {
  return `:(top,literal)${nameOf(path)}`;
}

function makeConflict(path: RawPath, what: string): GantryError {
  return new GantryError("conflict", `${nameOf(path)} changed since its changes were listed. Nothing was ${what}.`, {
    remedy: "List the changes again.",
  });
}
