import type { Call, ProgramSpec } from "../spec.ts";

const DIFF = `-p -u --patch -s --no-patch -U:number --unified:number --raw --patch-with-raw --indent-heuristic --no-indent-heuristic
  --minimal --patience --histogram --anchored:text --diff-algorithm:text --stat?:text --stat-width:number --stat-name-width:number
  --stat-count:number --stat-graph-width:number --compact-summary --numstat --shortstat -X?:text --dirstat?:text --summary
  --patch-with-stat -z --name-only --name-status --color?:text --no-color --color-moved?:text --no-color-moved
  --color-moved-ws:text --word-diff?:text --word-diff-regex:text --color-tokens?:text --no-renames --renames --rename-empty
  --no-rename-empty --check --ws-error-highlight:text --full-index --binary --abbrev?:number --no-abbrev -B?:text
  --break-rewrites?:text -M?:text --find-renames?:text -C?:text --find-copies?:text --find-copies-harder -D
  --irreversible-delete -l:number --diff-filter:text -S:text -G:text --find-object:text --pickaxe-all --pickaxe-regex
  --skip-to:text --rotate-to:text -R --relative?:text --no-relative -a --text --ignore-cr-at-eol --ignore-space-at-eol -b
  --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I:text --ignore-matching-lines:text
  --inter-hunk-context:number -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules?:text
  --src-prefix:text --dst-prefix:text --no-prefix --default-prefix --line-prefix:text --ita-invisible-in-index
  --output:write --ext-diff! --textconv! -O:harm --submodule?:harm`;

const LOG = `${DIFF} --oneline --graph --no-graph --all --branches?:text --tags?:text --remotes?:text --decorate?:text --no-decorate
  --decorate-refs:text --decorate-refs-exclude:text --clear-decorations --source --follow -n:number --max-count:number
  --skip:number --since:text --after:text --until:text --before:text --since-as-filter:text --author:text --committer:text
  --grep:text --grep-reflog:text --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F
  --fixed-strings -P --perl-regexp --remove-empty --merges --no-merges --min-parents:number --max-parents:number
  --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --exclude:text --glob:text --reflog
  --cherry-pick --cherry-mark --cherry --left-only --right-only --left-right --boundary --simplify-by-decoration --full-history
  --dense --sparse --simplify-merges --ancestry-path?:text --date-order --author-date-order --topo-order --reverse --pretty?:text
  --format:text --abbrev-commit --no-abbrev-commit --encoding:text --expand-tabs?:number --no-expand-tabs --notes?:text
  --no-notes --relative-date --date:text --parents --children -L:text -c --cc -m -t --show-pulls --no-walk?:text --do-walk
  --mailmap --no-mailmap --use-mailmap --no-use-mailmap --log-size --diff-merges:text --no-diff-merges --walk-reflogs -g
  --merge --full-diff --show-signature!`;

/** The formats for signatures run gpg. */
const isPlainFormat = (call: Call) =>
  call.options.every(({ name, value }) => !/^--(format|pretty)$/.test(name) || (value?.candidates.length ?? 1) > 0) &&
  call.options.every(
    ({ name, value }) => !/^--(format|pretty|sort)$/.test(name) || !/%G|signature/.test(value?.text ?? ""),
  );

const LISTS = ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];
/** Without one of these options an operand is the name of something new. */
const isListing = (call: Call) => (call.operands.length === 0 || call.has(...LISTS)) && isPlainFormat(call);

const log: ProgramSpec = { options: LOG, operands: ["text"], numeric: true, check: isPlainFormat };
const diff: ProgramSpec = {
  options: `${DIFF} --cached --staged --merge-base --no-index --base --ours --theirs -1 -2 -3 -0`,
  operands: ["file"],
  // Two paths, of which one is outside the repository, are compared like with `diff -r`.
  recursive: true,
  check: isPlainFormat,
};
const plumbing: ProgramSpec = {
  options: `${DIFF} -r -t --root -m -c --cc --cached --pretty?:text --no-commit-id --always -v --merge-base`,
  operands: ["text"],
  check: isPlainFormat,
};
const blame: ProgramSpec = {
  options: `-L:text -l -t -s -f --show-name -n --show-number -e --show-email -w -M?:text -C?:text -p --porcelain --line-porcelain
    --incremental --root --date:text --since:text -c -b --color-lines --color-by-age --abbrev:number --reverse --first-parent
    --score-debug --show-stats --progress --no-progress --ignore-rev:text --ignore-revs-file:file --contents:file`,
  operands: ["text"],
};
const LIST_OPTIONS = `--sort:text --format:text --contains?:text --no-contains?:text --points-at?:text --merged?:text --no-merged?:text
  --column?:text --no-column --color?:text --no-color -i --ignore-case -l --list`;
const READING_CONFIG = [
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
  "--list",
  "-l",
  "--get-color",
  "--get-colorbool",
];

/** The subcommands of git that read. All are built in, so no alias of a configuration can replace one. */
export const GIT_COMMANDS: Readonly<Record<string, ProgramSpec>> = {
  status: {
    options: `-s --short -b --branch --show-stash --no-show-stash --porcelain?:text --long -v --verbose -u?:text --untracked-files?:text
      --ignore-submodules?:text --ignored?:text -z --column?:text --no-column --ahead-behind --no-ahead-behind --renames
      --no-renames --find-renames?:text`,
    operands: ["text"],
  },
  log,
  show: log,
  whatchanged: log,
  diff,
  "diff-tree": plumbing,
  "diff-index": plumbing,
  "diff-files": plumbing,
  "range-diff": {
    options: `${DIFF} --creation-factor:number --no-dual-color --left-only --right-only`,
    operands: ["text"],
  },
  blame,
  annotate: blame,
  shortlog: {
    options: `-n --numbered -s --summary -e --email -w?:text -c --committer --group:text --since:text --until:text --after:text
      --before:text --all --no-merges --merges --first-parent --format:text --author:text`,
    operands: ["text"],
    check: isPlainFormat,
  },
  describe: {
    options: `--tags --all --contains --always --long --dirty?:text --broken?:text --abbrev:number --match:text --exclude:text
      --exact-match --candidates:number --first-parent --debug`,
    operands: ["text"],
  },
  "rev-parse": {
    options: `--short?:number --abbrev-ref?:text --show-toplevel --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree
      --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-prefix --show-cdup --verify -q --quiet --symbolic
      --symbolic-full-name --all --branches?:text --tags?:text --remotes?:text --show-superproject-working-tree --since:text
      --until:text --git-path:text --show-object-format?:text --path-format:text --default:text --not --show-ref-format --sq`,
    operands: ["text"],
  },
  "rev-list": {
    options: `${LOG} --count --objects --objects-edge --use-bitmap-index --timestamp --header --disk-usage?:text --unpacked`,
    operands: ["text"],
    numeric: true,
    check: isPlainFormat,
  },
  "ls-files": {
    options: `-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed -t -v -f -z -x:text
      --exclude:text -X:file --exclude-from:file --exclude-standard --exclude-per-directory:text --error-unmatch --full-name
      --abbrev?:number --debug --eol --directory --no-empty-directory --deduplicate --format:text --sparse`,
    operands: ["text"],
  },
  "ls-tree": {
    options:
      "-r -d -t -l --long -z --name-only --name-status --object-only --full-name --full-tree --abbrev?:number --format:text",
    operands: ["text"],
  },
  "cat-file": {
    options: `-t -s -e -p --batch?:text --batch-check?:text --batch-all-objects --buffer --unordered --follow-symlinks --textconv!
      --filters! --allow-unknown-type`,
    operands: ["text"],
  },
  "merge-base": { options: "-a --all --octopus --independent --is-ancestor --fork-point", operands: ["text"] },
  "for-each-ref": {
    options: `--count:number --ignore-case --omit-empty ${LIST_OPTIONS}`,
    operands: ["text"],
    check: isPlainFormat,
  },
  "show-ref": {
    options:
      "--head --heads --tags --branches -d --dereference -s --hash?:number --verify --abbrev?:number -q --quiet --exists",
    operands: ["text"],
  },
  "symbolic-ref": {
    options: "--short -q --quiet --no-recurse -d! --delete! -m:write",
    operands: ["text"],
    mostOperands: 1,
  },
  "name-rev": {
    options: "--tags --refs:text --exclude:text --all --name-only --no-undefined --always",
    operands: ["text"],
  },
  cherry: { options: "-v --abbrev?:number", operands: ["text"] },
  "count-objects": { options: "-v -H --verbose --human-readable" },
  version: { options: "--build-options" },
  "check-ignore": { options: "-v -q -n -z --verbose --quiet --non-matching --no-index --stdin", operands: ["text"] },
  "check-attr": { options: "-a --all --cached --stdin -z", operands: ["text"] },
  "check-ref-format": { options: "--branch --allow-onelevel --normalize", operands: ["text"] },
  "show-branch": {
    options:
      "-r -a --remotes --all --current --topo-order --date-order --sparse --more:number --list --merge-base --independent --no-name --sha1-name --topics --color?:text --no-color",
    operands: ["text"],
  },
  fsck: {
    options:
      "--unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --full --no-full --connectivity-only --strict --verbose --progress --no-progress --name-objects --lost-found!",
    operands: ["text"],
  },
  grep: {
    options: `-a -I -i -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -A:number -B:number -C:number -W -f:file -e:text -q -r -m:number
      --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp
      --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching
      --count --color?:text --no-color --break --heading --show-function --after-context:number --before-context:number
      --context:number --function-context --threads:number --and --or --not --all-match --quiet --cached --untracked --no-index
      --exclude-standard --no-exclude-standard --max-depth:number --recursive --no-recursive --max-count:number --no-textconv
      -O?:program --open-files-in-pager?:program --ext-grep! --textconv! --recurse-submodules!`,
    operands: ["text", "file"],
    scriptOptions: ["-e", "-f"],
    numeric: true,
    recursive: ["--no-index"],
    check: () => true,
  },
  branch: {
    options: `-a --all -r --remotes -v --verbose --show-current --abbrev?:number --no-abbrev -q --quiet ${LIST_OPTIONS}
      -d! -D! -m! -M! -c! -C! -f! --delete! --move! --copy! --force! --edit-description! --unset-upstream! -u:write
      --set-upstream-to:write -t!`,
    operands: ["text"],
    check: isListing,
  },
  tag: {
    options: `-n?:number ${LIST_OPTIONS} -a! -s! -d! -f! -m:write -F:write -u:write --delete! --force! -v!`,
    operands: ["text"],
    check: isListing,
  },
  stash: {
    subcommands: {
      list: log,
      show: { ...log, options: `${LOG} --include-untracked --only-untracked` },
    },
  },
  remote: {
    options: "-v --verbose",
    alone: true,
    subcommands: { "get-url": { options: "--push --all", operands: ["text"] } },
  },
  reflog: {
    ...log,
    operands: ["text"],
    check: (call) =>
      isPlainFormat(call) &&
      call.operands.slice(0, 1).every(({ candidates: [text = "delete"] }) => !/^(expire|delete|drop)$/.test(text)),
  },
  worktree: { subcommands: { list: { options: "--porcelain -v -z --verbose" } } },
  notes: { subcommands: { list: { operands: ["text"] }, show: { operands: ["text"] } } },
  bisect: { subcommands: { log: {} } },
  "sparse-checkout": { subcommands: { list: {} } },
  config: {
    options: `--get --get-all --get-regexp --get-urlmatch --list -l --show-origin --show-scope --name-only -z --null --global --local
      --system --worktree --type:text --bool --int --path --default:text --includes! --no-includes -f:file --file:file
      --add! --unset! --unset-all! --replace-all! --rename-section! --remove-section! -e! --edit! --fixed-value`,
    operands: ["text"],
    check: (call) =>
      call.has(...READING_CONFIG) ||
      call.operands.length === 1 ||
      (/^(get|list)$/.test(call.operands[0]?.text ?? "") && call.operands.length <= 2),
  },
  clean: {
    options: "-n --dry-run -d -x -X -e:text -q -f! -i! --force! --interactive!",
    operands: ["text"],
    check: (call) => call.has("-n", "--dry-run"),
  },
};

/** The options before the subcommand. `-c` is checked like a line of a configuration. */
export const GIT_GLOBAL: ProgramSpec = {
  options: `-C:folder -c:text --git-dir:folder --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs
    --icase-pathspecs --no-replace-objects --bare --version -v --config-env:program --exec-path?:program --work-tree:harm
    --namespace:harm -p! --paginate! --super-prefix:harm --attr-source:harm --html-path --man-path --info-path`,
  operands: ["text"],
  stopsAtOperand: true,
  check: () => true,
};
