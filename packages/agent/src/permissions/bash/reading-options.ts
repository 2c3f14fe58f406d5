import type { Word } from "./shell-lexer.ts";

/** Whether a call of a program that reads with only some of its options is such a call. */
export function onlyReads(program: string, args: readonly Word[]): boolean {
  const check = CHECKS[program];
  // A word that is expanded at run time may be any option.
  if (!check || args.some(({ dynamic, quoted, text }) => dynamic && !(quoted && /^[^$-]/.test(text)))) return false;
  const texts = args.map(({ text }) => text);
  return check(
    texts,
    texts.filter((text) => !text.startsWith("-") || text === "-"),
  );
}

type Check = (args: string[], operands: string[]) => boolean;

const without =
  (pattern: RegExp): Check =>
  (args) =>
    !args.some((arg) => pattern.test(arg));

const CHECKS: Record<string, Check> = {
  sort: without(/^-[A-Za-z]*o|^--(o|compress)/),
  uniq: (_args, operands) => operands.length <= 1,
  rg: without(/^--(pre|hostname-bin)/),
  tree: without(/^-[A-Za-z]*[oR]|^--output/),
  less: without(/^-[A-Za-z]*[oO]|^--(log|LOG)|^\+/),
  more: () => true,
  file: without(/^-[A-Za-z]*C|^--comp/),
  bat: without(/^--(pager|paging|config)/),
  base64: without(/^-[A-Za-z]*o|^--output/),
  date: (args) =>
    args.every(
      (arg, at) =>
        /^(\+|-[uRI]|--(utc|iso|rfc|date|universal))/.test(arg) ||
        /^(-d|--date|-r)$/.test(arg) ||
        /^(-d|-r|--date)$/.test(args[at - 1] ?? ""),
    ),
  hostname: (args, operands) => operands.length === 0 && without(/^-[A-Za-z]*F|^--file/)(args, operands),
  type: () => true,
  set: without(/^-[A-Za-z]*[am]|allexport/),
  shopt: () => true,
  sed: sed,
  awk: awk,
  gawk: awk,
  mawk: awk,
  tar: (args) => /^-?[tvzjJf]*t[tvzjJf]*$/.test(args[0] ?? "") && args.slice(1).every((arg) => !arg.startsWith("-")),
  unzip: (args) => /^-(l|Z|Zl|v)$/.test(args[0] ?? ""),
  xxd: (args, operands) => operands.length <= 1 && without(/^-r/)(args, operands),
  yq: without(/^-[A-Za-z]*i|^--in-?place|^--split/),
  tsc: (args) =>
    args.includes("--noEmit") && without(/^(-b|--build|--generate|--init|--incremental|--tsBuildInfoFile)/)(args, []),
  history: (args) => args.length === 0,
};

/** Only scripts of forms that are known neither to write nor to run anything. */
function sed(args: string[], operands: string[]): boolean {
  if (args.some((arg) => /^-[A-Za-z]*[if]|^--(in|file)/.test(arg) || arg === "-s")) return false;
  const flagged = args.flatMap((arg, at) => (/^(-e|--expression)$/.test(args[at - 1] ?? "") ? [arg] : []));
  const scripts = flagged.length > 0 ? flagged : operands.slice(0, 1);
  const address = String.raw`(?:\d+|\$|/[^/\n]*/)`;
  const simple = new RegExp(`^(?:${address}(?:,(?:${address}|\\+\\d+))?)?!?[pdq=]$`);
  const replaces = /^s([/|#,@])((?!\1)[^\n\\]|\\[^\n])*\1((?!\1)[^\n\\]|\\[^\n])*\1[gpiI0-9]*$/;
  return (
    scripts.length > 0 &&
    scripts.every((script) => replaces.test(script) || script.split(";").every((part) => simple.test(part.trim())))
  );
}

function awk(args: string[]): boolean {
  if (args.some((arg) => /^-[fiElo]|^--(file|include|exec|load|in)/.test(arg))) return false;
  return args.every((arg) => !/system|getline|[|>@`]|print.*\bclose\b/.test(arg));
}
