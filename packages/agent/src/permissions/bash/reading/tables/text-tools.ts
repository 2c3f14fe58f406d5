import { isHarmlessAwk } from "../awk-script.ts";
import { isHarmlessSed } from "../sed-script.ts";
import type { ProgramSpec } from "../spec.ts";
import { takesNoArgumentsFromFile } from "./file-tools.ts";

const FILES = { operands: ["file"], abbreviations: true } as const satisfies ProgramSpec;
const CHECKSUM: ProgramSpec = {
  ...FILES,
  options: "-b -t -z --binary --text --tag --zero --length:number -l:number",
};

const GREP: ProgramSpec = {
  options: `-E -F -G -P -e:text -f:file -i -y -v -w -x -z -c -L -l -m:number -o -q -s -b -H -h -n -T -U -Z -a -A:number
    -B:number -C:number -r -R -I -u -D:text -d:text --extended-regexp --fixed-strings --basic-regexp --perl-regexp
    --regexp:text --file:file --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --null-data --count
    --color?:text --colour?:text --files-without-match --files-with-matches --max-count:number --only-matching --quiet --silent
    --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab --binary --null --text
    --after-context:number --before-context:number --context:number --recursive --dereference-recursive --include:text
    --exclude:text --exclude-from:file --exclude-dir:text --binary-files:text --devices:text --directories:text --label:text
    --line-buffered --group-separator:text --no-group-separator`,
  operands: ["text", "file"],
  scriptOptions: ["-e", "-f", "--regexp", "--file"],
  abbreviations: true,
  numeric: true,
  recursive: ["-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"],
  followsLinks: ["-R", "--dereference-recursive"],
};

const SED: ProgramSpec = {
  options: `-n -e:text -E -r -u -z -s -l:number --expression:text --quiet --silent --regexp-extended --posix --debug --null-data
    --separate --unbuffered --line-length:number --sandbox -i?:write --in-place?:write -f:program --file:program
    --follow-symlinks!`,
  operands: ["text", "file"],
  scriptOptions: ["-e", "--expression"],
  abbreviations: true,
  check({ options, operands }) {
    const given = options.flatMap(({ name, value }) => (/^(-e|--expression)$/.test(name) && value ? [value] : []));
    const scripts = given.length > 0 ? given : operands.slice(0, 1);
    const texts = scripts.flatMap(({ candidates }) => candidates);
    return scripts.length > 0 && scripts.every((arg) => arg.candidates.length > 0 && !arg.many) && isHarmlessSed(texts);
  },
};

const AWK: ProgramSpec = {
  options: `-F:text -v:text --field-separator:text --assign:text -f:program --file:program -i:program --include:program -l:program
    --load:program -E:program --exec:program -o?:write --pretty-print?:write -p?:write --profile?:write -d?:write
    --dump-variables?:write -D?:harm --debug?:harm -W:harm`,
  operands: ["text", "file"],
  check({ operands }) {
    const [script] = operands;
    return (
      script !== undefined && !script.many && script.candidates.length > 0 && script.candidates.every(isHarmlessAwk)
    );
  },
};

const LESS: ProgramSpec = {
  options: `-N -S -R -r -F -X -i -I -M -m -n -e -E -f -s -g -G -o:write -O:write -k:program -T:program -t:program
    --lesskey-file:program --lesskey-src:program --lesskey-content:program --log-file:write --LOG-FILE:write --tag:program
    --tag-file:program --line-numbers --chop-long-lines --RAW-CONTROL-CHARS --quit-if-one-screen --no-init`,
  operands: ["file"],
  check: ({ operands }) => operands.every(({ text }) => !text.startsWith("+")),
};

/** Programs that read text from files or the standard input. */
export const TEXT_TOOLS: Readonly<Record<string, ProgramSpec>> = {
  cat: {
    ...FILES,
    options: `-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
      --show-nonprinting`,
  },
  tac: { ...FILES, options: "-b -r -s:text --before --regex --separator:text" },
  rev: { ...FILES, options: "-0 --zero" },
  head: {
    ...FILES,
    options: "-c:number -n:number -q -v -z --bytes:number --lines:number --quiet --silent --verbose --zero-terminated",
    numeric: true,
  },
  tail: {
    ...FILES,
    options: `-c:number -n:number -q -v -z -f -F -s:number --bytes:number --lines:number --quiet --silent --verbose
      --zero-terminated --follow?:text --pid:number --retry --sleep-interval:number --max-unchanged-stats:number`,
    numeric: true,
  },
  wc: {
    ...FILES,
    options: `-c -m -l -L -w --bytes --chars --lines --max-line-length --files0-from:file --total:text
      ${"--words" /* prose-ignore: an option of wc */}`,
  },
  nl: {
    ...FILES,
    options: `-b:text -d:text -f:text -h:text -i:number -l:number -n:text -p -s:text -v:number -w:number --body-numbering:text
      --section-delimiter:text --footer-numbering:text --header-numbering:text --line-increment:number --join-blank-lines:number
      --number-format:text --no-renumber --number-separator:text --starting-line-number:number --number-width:number`,
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: {
    ...GREP,
    options: "-E -F -e:text -i -v -w -x -c -l -L -m:number -o -q -s -H -h -n -A:number -B:number -C:number",
  },
  zcat: { operands: ["file"], options: "-f -v -q" },
  bzcat: { operands: ["file"], options: "-q -v" },
  xzcat: { operands: ["file"], options: "-q -v" },
  sed: SED,
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  cut: {
    ...FILES,
    options: `-b:text -c:text -d:text -f:text -n -s -z --bytes:text --characters:text --delimiter:text --fields:text --complement
      --only-delimited --output-delimiter:text --zero-terminated`,
  },
  tr: {
    options: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
    operands: ["text"],
    abbreviations: true,
  },
  sort: {
    options: `-b -d -f -g -i -M -h -n -R -r -V -c -C -k:text -m -s -t:text -u -z -S:text --ignore-leading-blanks
      --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort
      --numeric-sort --random-sort --reverse --sort:text --version-sort --batch-size:number --check?:text --key:text --merge
      --stable --buffer-size:text --field-separator:text --parallel:number --unique --zero-terminated --debug
      --files0-from:harm -o:write --output:write -T:write --temporary-directory:write --compress-program:program
      --random-source:file`,
    operands: ["file"],
    abbreviations: true,
  },
  uniq: {
    options: `-c -d -D -f:number -i -s:number -u -w:number -z --count --repeated --all-repeated?:text --skip-fields:number
      --group?:text --ignore-case --skip-chars:number --unique --zero-terminated --check-chars:number`,
    operands: ["file"],
    mostOperands: 1,
    abbreviations: true,
  },
  paste: { ...FILES, options: "-d:text -s -z --delimiters:text --serial --zero-terminated" },
  join: {
    ...FILES,
    options:
      "-a:number -e:text -i -j:number -o:text -t:text -v:number -1:number -2:number -z --ignore-case --check-order --nocheck-order --header",
  },
  comm: {
    ...FILES,
    options: "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter:text --total --zero-terminated",
  },
  fold: { ...FILES, options: "-b -s -w:number --bytes --spaces --width:number", numeric: true },
  fmt: {
    ...FILES,
    options: "-c -p:text -s -t -u -w:number -g:number --width:number --split-only --uniform-spacing",
    numeric: true,
  },
  expand: { ...FILES, options: "-i -t:text --initial --tabs:text", numeric: true },
  unexpand: { ...FILES, options: "-a -t:text --all --first-only --tabs:text" },
  pr: { ...FILES, options: "-a -d -h:text -l:number -m -n?:text -o:number -t -T -w:number -W:number", numeric: true },
  tsort: FILES,
  column: {
    options: `-t -s:text -c:number -n -x -o:text -N:text -J -R:text -H:text -L -e -d -E:text -T:text -O:text -W:text --table
      --separator:text --output-separator:text --columns:number --fillrows --table-columns:text --json --table-right:text
      --table-hide:text --table-noheadings --keep-empty-lines`,
    operands: ["file"],
  },
  diff: {
    options: `-q -s -c -u -e -y -i -E -Z -b -w -B -a -r -N -p -d -t -T -n -C:number -U:number -W:number -x:text -X:file -I:text
      -F:text -D:text --brief --report-identical-files --context?:number --unified?:number --ed --normal --rcs --side-by-side
      --width:number --left-column --suppress-common-lines --show-c-function --show-function-line:text --label:text -L:text
      --expand-tabs --initial-tab --tabsize:number --suppress-blank-empty --recursive --no-dereference --new-file
      --unidirectional-new-file --ignore-file-name-case --exclude:text --exclude-from:file --starting-file:text --from-file:file
      --to-file:file --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space
      --ignore-blank-lines --ignore-matching-lines:text --text --strip-trailing-cr --minimal --horizon-lines:number
      --speed-large-files --color?:text --line-format:text --old-line-format:text --new-line-format:text
      --unchanged-line-format:text -l! --paginate!`,
    operands: ["file"],
    abbreviations: true,
    numeric: true,
    recursive: ["-r", "--recursive"],
    followsLinks: ["-r", "--recursive"],
  },
  cmp: {
    ...FILES,
    options: "-b -i:text -l -n:number -s --print-bytes --ignore-initial:text --verbose --bytes:number --quiet --silent",
  },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  cksum: FILES,
  shasum: { operands: ["file"], options: "-a:number -b -t --algorithm:number" },
  sum: FILES,
  od: {
    ...FILES,
    options: `-A:text -t:text -v -c -x -d -o -b -a -f -i -l -s -N:number -j:number -w?:number -S:number --address-radix:text
      --format:text --read-bytes:number --skip-bytes:number --width?:number --strings?:number`,
  },
  hexdump: { operands: ["file"], options: "-C -n:number -s:number -v -e:text -f:file -c -b -d -o -x" },
  xxd: {
    options: "-b -c:number -l:number -s:text -g:number -p -ps -plain -u -i -e -a -d -r! -revert! -o:text",
    operands: ["file"],
    mostOperands: 1,
    singleDash: true,
  },
  strings: {
    operands: ["file"],
    options: "-a -f -n:number -t:text -e:text -w --all --bytes:number --radix:text",
    numeric: true,
    check: takesNoArgumentsFromFile,
  },
  base64: {
    options: "-d -D -i:file -w:number --decode --wrap:number --ignore-garbage -o:write --output:write",
    operands: ["file"],
  },
  less: LESS,
  more: {
    options: "-d -f -l -p -c -s -u -n:number",
    operands: ["file"],
    numeric: true,
    check: LESS.check!,
  },
  bat: {
    options: `-n -p -P -A -f -l:text -r:text -H:text -d --language:text --style:text --color:text --line-range:text --plain --number
      --no-paging --theme:text --wrap:text --tabs:number --decorations:text --show-all --highlight-line:text --diff
      --pager:program --paging:program -m:text --map-syntax:text --file-name:text`,
    operands: ["file"],
  },
  jq: {
    options: `-r -e -c -n -s -S -C -M -a -j -R --raw-output --exit-status --compact-output --null-input --slurp --sort-keys
      --color-output --monochrome-output --ascii-output --join-output --raw-input --tab --indent:number --stream --seq
      --raw-output0 --arg*:text --argjson*:text --rawfile*:file --slurpfile*:file -V --version -h --help --unbuffered -f:program --from-file:program -L:program`,
    operands: ["text", "file"],
    check: ({ operands: [filter] }) =>
      !filter ||
      (!filter.many &&
        filter.candidates.length > 0 &&
        filter.candidates.every((text) => !/\b(import|include|modulemeta)\b/.test(text))),
  },
  yq: {
    options: "-r -e -c -C -M -P -N --raw-output --colors --no-colors --prettyPrint -V --version -i!",
    operands: ["text", "file"],
    check: ({ operands }) => {
      // `eval` and its relatives stand before the filter.
      const filter = operands.find(({ text }) => !/^(e|ea|eval|eval-all)$/.test(text));
      return (
        !filter ||
        (!filter.many &&
          filter.candidates.length > 0 &&
          filter.candidates.every(
            (text) =>
              !/\b(import|include|modulemeta|load\w*|eval|system|split_doc|input\w*|env\w*|strenv)\b/.test(text),
          ))
      );
    },
  },
};
