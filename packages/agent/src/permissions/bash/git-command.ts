import type { Word } from "./shell-lexer.ts";

export type GitClass = "other" | "destructive" | "force_push";

const NETWORKED = new Set("fetch pull push clone ls-remote remote submodule archive".split(" "));
/** Options before the subcommand that take a value. */
const GLOBAL_WITH_VALUE = new Set([
  "-c",
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
]);

/**
 * Whether a git call destroys something. `elsewhere`: it works in a folder that the call itself names. The tables of
 * reading commands decide which of the other calls only read.
 */
export function gitClass(args: readonly Word[]): { is: GitClass; elsewhere: boolean; network: boolean } {
  let elsewhere = false;
  let at = 0;
  for (; at < args.length && args[at]!.text.startsWith("-"); at++) {
    const { text } = args[at]!;
    if (/^(-C|--git-dir|--work-tree|--namespace)/.test(text)) elsewhere = true;
    if (GLOBAL_WITH_VALUE.has(text)) at++;
  }
  const sub = args[at]?.text ?? "";
  return { is: bySubcommand(sub, args.slice(at + 1)), elsewhere, network: NETWORKED.has(sub) };
}

function bySubcommand(sub: string, args: readonly Word[]): GitClass {
  const texts = args.map(({ text }) => text);
  const has = (...options: string[]) =>
    texts.some((text) => options.includes(text) || options.some((o) => text.startsWith(`${o}=`)));
  const short = (letter: string) => texts.some((text) => /^-[A-Za-z]+$/.test(text) && text.includes(letter));
  const bare = texts.filter((text) => !text.startsWith("-"));
  const first = bare[0] ?? "";
  const when = (destroys: boolean): GitClass => (destroys ? "destructive" : "other");
  switch (sub) {
    case "push":
      return push(texts, short);
    case "reset":
      return when(has("--hard", "--merge", "--keep"));
    case "clean":
      return when(!has("--dry-run") && !short("n"));
    case "checkout":
      return when(has("--", "-f", "--force", "--ours", "--theirs") || short("f") || bare.some(isPath));
    case "switch":
      return when(has("-f", "--force", "--discard-changes", "-C", "--force-create"));
    case "restore":
      return when(!(has("--staged", "-S") && !has("--worktree", "-W")));
    case "branch":
      return when(["D", "d", "f", "M", "C"].some(short) || has("--delete", "--force"));
    case "tag":
      return when(short("d") || has("--delete", "-f", "--force"));
    case "stash":
      return when(/^(drop|clear)$/.test(first));
    case "remote":
      return when(/^(remove|rm|prune)$/.test(first));
    case "reflog":
      return when(/^(expire|delete)$/.test(first));
    case "worktree":
      return when(/^(remove|prune)$/.test(first));
    case "update-ref":
    case "symbolic-ref":
      return when(has("-d", "--delete", "--stdin"));
    case "filter-branch":
    case "filter-repo":
    case "prune":
    case "rm":
      return "destructive";
    case "gc":
    case "repack":
      return when(texts.some((text) => text.startsWith("--prune")));
    default:
      return "other";
  }
}

function push(texts: string[], short: (letter: string) => boolean): GitClass {
  const forced =
    texts.some((text) => /^--(for|mir)/.test(text)) || short("f") || texts.some((text) => /^\+./.test(text));
  if (forced) return "force_push";
  const deletes =
    texts.some((text) => /^--(del|prun)/.test(text)) || short("d") || texts.some((text) => /^:./.test(text));
  return deletes ? "destructive" : "other";
}

function isPath(text: string): boolean {
  return text === "." || text.startsWith("./") || text.startsWith(":/") || text.includes("*");
}
