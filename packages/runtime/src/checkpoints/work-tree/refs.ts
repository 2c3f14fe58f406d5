import type { Git, GitAnswer, GitOptions } from "../../lanes/git/git.ts";

const PREFIX = "refs/gantry/checkpoints";

/** Where the refs are: the folder that all work trees of a repository share. No work tree need be left. */
export type Repository = { git: Git; commonDir: string };

/** Reads commits of a repository: through our view of a work tree, or of the repository alone when that is gone. */
export type Reader = { read(args: readonly string[], options?: GitOptions): Promise<GitAnswer> };

export function readerOf({ git, commonDir }: Repository): Reader {
  return { read: (args, options) => git.read(commonDir, ["--git-dir", ".", ...args], options) };
}

export type Moment = "before" | "after";

/** Checkpoints of a session's turns and reverts that are still there, by `<turn>/before` and `<turn>/after`. */
export type Kept = ReadonlyMap<string, { commit: string; at: number }>;

/** The hidden ref that holds one. Ids may have characters that a ref must not. */
export function refOf(session: string, of: string, moment: Moment): string {
  return `${PREFIX}/${part(session)}/${part(of)}/${moment}`;
}

export async function keep({ git, commonDir }: Repository, ref: string, commit: string): Promise<void> {
  await git.write(commonDir, ["--git-dir", ".", "update-ref", "--no-deref", ref, commit]);
}

export async function keptOf({ git, commonDir }: Repository, session: string): Promise<Kept> {
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

/** Lets git collect what they hold, unless something else holds it too. */
export async function drop({ git, commonDir }: Repository, refs: readonly string[]): Promise<void> {
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
