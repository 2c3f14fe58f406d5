import type { Word } from "./shell-lexer.ts";

export type GitClass = "readonly" | "mutating" | "destructive" | "force_push";

const READING = new Set(
  `status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file
  name-rev merge-base for-each-ref show-ref whatchanged cherry count-objects var version check-ignore check-attr
  check-ref-format diff-tree diff-index diff-files show-branch verify-commit verify-tag grep range-diff fsck
  get-tar-commit-id patch-id stripspace column`.split(/\s+/),
);
const NETWORKED = new Set("fetch pull push clone ls-remote remote submodule archive".split(" "));
/** Options before the subcommand that take a value. */
const GLOBAL_WITH_VALUE = new Set(["-C", "--git-dir", "--work-tree", "--namespace", "--exec-path"]);

/**
 * What a git call does. `elsewhere`: it works in a folder that the call itself names.
 * Options that make git run programs (`-c`, `--ext-diff`, `--output`) never count as reading.
 */
export function gitClass(args: readonly Word[]): { is: GitClass; elsewhere: boolean; network: boolean } {
  const { rest, elsewhere, risky } = globals(args);
  const sub = rest[0]?.text ?? "";
  const network = NETWORKED.has(sub);
  const is = bySubcommand(sub, rest.slice(1));
  return { is: is === "readonly" && (risky || isUncertain(args)) ? "mutating" : is, elsewhere, network };
}

function globals(args: readonly Word[]): { rest: readonly Word[]; elsewhere: boolean; risky: boolean } {
  let elsewhere = false;
  let risky = false;
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]!.text;
    if (text === "-c" || text === "--config-env" || text.startsWith("--config-env=")) {
      risky = true;
      if (text === "-c" || text === "--config-env") at++;
    } else if (GLOBAL_WITH_VALUE.has(text)) {
      elsewhere = true;
      if (text === "--exec-path") risky = true;
      at++;
    } else if (text.startsWith("-")) {
      if (/^--(git-dir|work-tree)=/.test(text)) elsewhere = true;
      if (/^(-p|--pag\w*|--exec-path=.*)$/.test(text)) risky = true;
    } else break;
  }
  return { rest: args.slice(at), elsewhere, risky };
}

/** A word that is expanded at run time may be any option. */
function isUncertain(args: readonly Word[]): boolean {
  return args.some(
    ({ dynamic, text, quoted }) =>
      (dynamic && !(quoted && /^[^$-]/.test(text))) ||
      /^--(out|ext|textc|open|upload|exec)/.test(text) ||
      /^-O/.test(text),
  );
}

function bySubcommand(sub: string, args: readonly Word[]): GitClass {
  const texts = args.map(({ text }) => text);
  const has = (...options: string[]) =>
    texts.some((text) => options.includes(text) || options.some((o) => text.startsWith(`${o}=`)));
  const short = (letter: string) => texts.some((text) => /^-[A-Za-z]+$/.test(text) && text.includes(letter));
  const bare = texts.filter((text) => !text.startsWith("-"));
  switch (sub) {
    case "push":
      return push(texts, short);
    case "reset":
      return has("--hard", "--merge", "--keep") ? "destructive" : "mutating";
    case "clean":
      return has("-n", "--dry-run") ? "readonly" : "destructive";
    case "checkout":
      return has("--", "-f", "--force", "--ours", "--theirs") || short("f") || bare.some(isPath)
        ? "destructive"
        : "mutating";
    case "switch":
      return has("-f", "--force", "--discard-changes", "-C", "--force-create") ? "destructive" : "mutating";
    case "restore":
      return has("--staged", "-S") && !has("--worktree", "-W") ? "mutating" : "destructive";
    case "branch":
      return branch(bare, has, short);
    case "tag":
      if (has("-d", "--delete") || short("d") || has("-f", "--force")) return "destructive";
      return texts.every((text) => /^(-l|--list|-n\d*|--sort=.*|--contains|--points-at)$/.test(text))
        ? "readonly"
        : "mutating";
    case "stash":
      if (/^(drop|clear)$/.test(bare[0] ?? "")) return "destructive";
      return /^(list|show)$/.test(bare[0] ?? "") ? "readonly" : "mutating";
    case "remote":
      if (/^(remove|rm|prune)$/.test(bare[0] ?? "")) return "destructive";
      return bare.length === 0 || /^(show|get-url)$/.test(bare[0] ?? "") ? "readonly" : "mutating";
    case "reflog":
      return /^(expire|delete)$/.test(bare[0] ?? "") ? "destructive" : "readonly";
    case "worktree":
      if (/^(remove|prune)$/.test(bare[0] ?? "")) return "destructive";
      return bare[0] === "list" ? "readonly" : "mutating";
    case "config":
      return has("--get", "--get-all", "--list", "-l", "--get-regexp") || /^(get|list)$/.test(bare[0] ?? "")
        ? "readonly"
        : "mutating";
    case "update-ref":
    case "symbolic-ref":
      return has("-d", "--delete", "--stdin") ? "destructive" : "mutating";
    case "filter-branch":
    case "filter-repo":
    case "prune":
    case "rm":
      return "destructive";
    case "gc":
    case "repack":
      return texts.some((text) => text.startsWith("--prune")) ? "destructive" : "mutating";
    case "":
      return texts.length === 0 ? "readonly" : "mutating";
    default:
      return READING.has(sub) ? "readonly" : "mutating";
  }
}

type Has = (...options: string[]) => boolean;

function push(texts: string[], short: (letter: string) => boolean): GitClass {
  const forced =
    texts.some((text) => /^--(for|mir)/.test(text)) || short("f") || texts.some((text) => /^\+./.test(text));
  if (forced) return "force_push";
  const deletes =
    texts.some((text) => /^--(del|prun)/.test(text)) || short("d") || texts.some((text) => /^:./.test(text));
  return deletes ? "destructive" : "mutating";
}

function branch(bare: string[], has: Has, short: (letter: string) => boolean): GitClass {
  if (short("D") || short("d") || has("--delete") || short("f") || has("--force") || short("M") || short("C"))
    return "destructive";
  if (
    has("--list", "-a", "-r", "-v", "-vv", "--show-current", "--contains", "--merged", "--no-merged") &&
    !has("-m", "-c")
  ) {
    return has("--set-upstream-to", "-u", "--unset-upstream", "--edit-description") ? "mutating" : "readonly";
  }
  return bare.length === 0 && !has("--edit-description", "--unset-upstream", "-u") ? "readonly" : "mutating";
}

function isPath(text: string): boolean {
  return text === "." || text.startsWith("./") || text.startsWith(":/") || text.includes("*");
}
