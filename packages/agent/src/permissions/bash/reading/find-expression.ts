import type { Arg } from "./args.ts";

const FLAGS = new Set(
  `-print -print0 -ls -prune -quit -empty -executable -readable -writable -nouser -nogroup -depth -d -mount -xdev -noleaf -follow
  -daystart -true -false -ignore_readdir_race -noignore_readdir_race -warn -nowarn -not -a -and -o -or ( ) ! ,`.split(
    /\s+/,
  ),
);
const WITH_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime
  -cmin -user -group -uid -gid -perm -links -inum -lname -ilname -maxdepth -mindepth -fstype -used -printf -context`.split(
    /\s+/,
  ),
);
const WITH_FILE = /^-(newer|anewer|cnewer|samefile|newer[aBcm][aBcmt])$/;
const RUNS = /^-(exec|execdir)$/;

/** `roots`: where it searches. `commands`: for each `-exec`, the positions of the inner command in the arguments, and whether it runs in the found file's folder. */
export type FindCall = { roots: Arg[]; reads: Arg[]; commands: { from: number; to: number; inFolder: boolean }[] };

/** Parses a call of find. Returns undefined if a part of it is not known, or writes, deletes or asks. */
export function matchFind(args: readonly Arg[]): FindCall | undefined {
  const roots: Arg[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const { text, open, candidates } = args[at]!;
    if (/^-[HLP]$/.test(text) || /^-O\d$/.test(text)) continue;
    if (/^[-(!,]/.test(text)) break;
    if (open || candidates.length === 0) return undefined;
    roots.push(args[at]!);
  }
  const call: FindCall = { roots, reads: [], commands: [] };
  for (; at < args.length; at++) {
    const { text, open } = args[at]!;
    if (open) return undefined;
    if (FLAGS.has(text)) continue;
    if (RUNS.test(text)) {
      const end = args.findIndex(
        (arg, index) => index > at && (arg.text === ";" || (arg.text === "+" && args[index - 1]?.text === "{}")),
      );
      if (end < 0) return undefined;
      call.commands.push({ from: at + 1, to: end, inFolder: text === "-execdir" });
      at = end;
      continue;
    }
    const value = args[++at];
    if (!value || !isSingle(value)) return undefined;
    if (WITH_FILE.test(text)) call.reads.push(value);
    else if (!WITH_VALUE.has(text)) return undefined;
  }
  return call;
}

/**
 * Whether the shell makes one word of it. An unquoted pattern may become several, and the names of files would then be part
 * of the expression; no predicate of find contains a dot, so a pattern with a dot after its last wildcard cannot become one.
 */
function isSingle({ glob, many, text, open }: Arg): boolean {
  if (glob) return /[*?\]][^*?[\]]*\.[^*?[\]]*$/.test(text);
  return !many && !open;
}
