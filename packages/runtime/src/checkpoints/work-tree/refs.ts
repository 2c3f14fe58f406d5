import type { Git, GitOptions } from "../../lanes/git/git.ts";
import type { GitAnswer } from "../../lanes/git/run-git.ts";

const PREFIX = "refs/gantry/checkpoints";

/** The repository of the refs, by the folder that all its work trees share. It needs no work tree. */
export type Repository = { git: Git; commonDir: string };

/** Reads commits: through the shadow of a work tree, or from the repository if the work tree is missing. */
export type Reader = { read(args: readonly string[], options?: GitOptions): Promise<GitAnswer> };

export function readerOf({ git, commonDir }: Repository): Reader {
  return { read: (args, options) => git.read(commonDir, ["--git-dir", ".", ...args], options) };
}

export type Moment = "before" | "after";

/** Existing checkpoints of a session's turns and reverts, by `<turn>/before` and `<turn>/after`. */
export type StoredCheckpoints = ReadonlyMap<string, { commit: string; at: number }>;

/** The hidden ref of a checkpoint. Escapes characters that are invalid in a ref. */
export function refOf(session: string, of: string, moment: Moment): string {
  return `${PREFIX}/${part(session)}/${part(of)}/${moment}`;
}

export async function storeRef({ git, commonDir }: Repository, ref: string, commit: string): Promise<void> {
  await git.write(commonDir, ["--git-dir", ".", "update-ref", "--no-deref", ref, commit]);
}

export async function storedCheckpoints({ git, commonDir }: Repository, session: string): Promise<StoredCheckpoints> {
  const prefix = `${PREFIX}/${part(session)}/`;
  const format = "%(refname)%00%(objectname)%00%(creatordate:unix)";
  const { out } = await git.read(commonDir, ["--git-dir", ".", "for-each-ref", `--format=${format}`, prefix]);
  const rows = out.split("\n").filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [name = "", commit = "", at = "0"] = row.split("\0");
      return [decodeURIComponent(name.slice(prefix.length)), { commit, at: Number(at) * 1000 }];
    }),
  );
}

/** Lets git collect their objects, unless another ref holds them. */
export async function dropRefs({ git, commonDir }: Repository, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map((ref) => `delete ${ref}\n`).join("");
  await git.write(commonDir, ["--git-dir", ".", "update-ref", "--no-deref", "--stdin"], { input });
}

function part(id: string): string {
  return id.replace(
    /[^A-Za-z0-9_-]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
