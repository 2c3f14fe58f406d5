import { trustCommand } from "@gantry/trust";
import type { Git } from "../../lanes/git/git.ts";
import { listItems, untrustedError } from "../../lanes/untrusted.ts";

/**
 * Checks what git does not run in the work trees because the user has not trusted it. Returns a notice for hooks, which a
 * landing can go without. Throws `untrusted` for filters and merge drivers: without them the landed content would differ.
 */
export async function checkWithheld(git: Git, repository: string, trees: readonly string[]): Promise<string[]> {
  const lists = await Promise.all([...new Set(trees)].map((tree) => git.listWithheld(tree)));
  const withheld = lists.flat();
  const shaping = withheld.filter(({ kind, name }) => kind === "filter" || /^merge\..*\.driver$/i.test(name));
  if (shaping.length > 0) {
    const what = "Nothing was changed. The repository's content passes through programs that you have not trusted:";
    throw untrustedError(what, repository, shaping);
  }
  const hooks = withheld.filter(({ kind }) => kind === "hook");
  if (hooks.length === 0) return [];
  const what = `These were not run, because you have not trusted the repository: ${listItems(hooks)}.`;
  return [`${what} To run them next time: ${trustCommand(repository)}`];
}
