import type { Call, ProgramSpec } from "../spec.ts";
import { isHarmlessTest } from "../test-expression.ts";
import { isHarmlessVariable } from "../variables.ts";

const TEXT = { operands: ["text"] } as const satisfies ProgramSpec;
const COUNT: ProgramSpec = {
  operands: ["text"],
  raw: (texts) => texts.length === 0 || (texts.length === 1 && /^\d+$/.test(texts[0] ?? "")),
};

/** Options that change how the rest of the command is parsed or what runs are not here. */
const SHELL_OPTIONS = /^(errexit|nounset|pipefail|xtrace|noglob|verbose|noclobber|noexec)$/;
const GLOB_OPTIONS = /^(nullglob|failglob|dotglob|globstar|nocaseglob|extglob)$/;

const isPlainSet: ProgramSpec["raw"] = (texts) =>
  texts.every(
    (text, at) =>
      /^[-+][euxfvnCo]+$/.test(text) || (/^[-+]\w*o$/.test(texts[at - 1] ?? "") && SHELL_OPTIONS.test(text)),
  );

const namesVariables = ({ operands }: Call) =>
  operands.every(({ candidates, many }) => !many && candidates.length === 1 && isHarmlessVariable(candidates[0] ?? ""));

/** Commands of bash itself. Those that run text or load code (`eval`, `trap`, `enable` and others) are not here. */
export const BUILTINS: Readonly<Record<string, ProgramSpec>> = {
  ":": { ...TEXT, stopsAtOperand: true },
  true: TEXT,
  false: TEXT,
  // `echo` takes every word that is not an option as text.
  echo: { operands: ["text"], raw: () => true },
  // `%n` sets a variable.
  printf: {
    ...TEXT,
    options: "-v:write",
    stopsAtOperand: true,
    check: ({ operands: [format] }) =>
      format !== undefined &&
      format.candidates.length > 0 &&
      format.candidates.every((text) => !/%[^%A-Za-z]*[hjlLtz]*n/.test(text)),
  },
  test: { raw: isHarmlessTest },
  "[": { raw: (texts) => texts.at(-1) === "]" && isHarmlessTest(texts.slice(0, -1)) },
  pwd: { options: "-L -P" },
  dirs: { options: "-c -l -p -v" },
  wait: { raw: (texts) => texts.every((text) => /^(-n|%?\d+)$/.test(text)) },
  jobs: { options: "-l -n -p -r -s", operands: ["text"], check: () => true },
  times: {},
  umask: { options: "-S -p" },
  ulimit: { options: "-S -H -a -c -d -f -n -s -t -u -v" },
  break: COUNT,
  continue: COUNT,
  return: COUNT,
  exit: COUNT,
  shift: COUNT,
  caller: COUNT,
  type: { ...TEXT, options: "-a -f -t -p -P" },
  hash: { options: "-l -p:harm -d! -r!" },
  help: { ...TEXT, options: "-d -m -s" },
  set: { raw: isPlainSet },
  shopt: { raw: (texts) => texts.every((text, at) => (at === 0 && /^-[supq]$/.test(text)) || GLOB_OPTIONS.test(text)) },
  read: {
    options: "-r -s -e! -d:text -n:number -N:number -p:text -t:number -u:harm -a:harm -i:harm",
    ...TEXT,
    check: namesVariables,
  },
  unset: { options: "-v -f! -n!", ...TEXT, check: namesVariables },
};
