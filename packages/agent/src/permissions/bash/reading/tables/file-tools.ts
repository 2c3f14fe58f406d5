import type { Call, ProgramSpec } from "../spec.ts";

const NAMES = { operands: ["file"], namesOnly: true, abbreviations: true } as const satisfies ProgramSpec;

/** Of another machine or a pipe: tar would connect, or run a program. */
const isPlainArchive = (text: string) => !/[:|!]/.test(text);

/** The programs of binutils replace `@file` by the arguments in that file. */
export const takesNoArgumentsFromFile = ({ operands, options }: Call) =>
  [...operands, ...options.flatMap(({ value }) => value ?? [])].every(({ text }) => !text.startsWith("@"));

/** Programs that show files, folders and archives. */
export const FILE_TOOLS: Readonly<Record<string, ProgramSpec>> = {
  ls: {
    ...NAMES,
    options: `-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I:text -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T -u -U -v
      -w:number -x -X -Z -1 -@ -e -O --all --almost-all --author --escape --block-size:text --ignore-backups --color?:text
      --directory --dired --classify?:text --file-type --format:text --full-time --group-directories-first --no-group
      --human-readable --si --dereference-command-line --hide:text --hyperlink?:text --indicator-style:text --inode --ignore:text
      --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name
      --quoting-style:text --reverse --recursive --size --sort:text --time:text --time-style:text --tabsize:number --width:number
      --context --zero`,
  },
  dir: NAMES,
  stat: {
    ...NAMES,
    options: "-L -f -c:text -t -Z -x --format:text --printf:text --dereference --file-system --terse --cached:text",
  },
  du: {
    ...NAMES,
    options: `-a -b -c -d:number -D -h -H -k -l -L -m -P -s -S -t:text -x -X:file -0 -B:text --all --apparent-size --block-size:text
      --bytes --total --dereference-args --max-depth:number --files0-from:file --human-readable --inodes --count-links
      --dereference --no-dereference --separate-dirs --si --summarize --threshold:text --time?:text --time-style:text
      --exclude-from:file --exclude:text --one-file-system --null`,
  },
  df: {
    ...NAMES,
    options: `-a -B:text -h -H -i -k -l -P -T -t:text -x:text --all --block-size:text --human-readable --si --inodes --local
      --output?:text --portability --print-type --type:text --exclude-type:text --total --no-sync`,
  },
  tree: {
    operands: ["file"],
    namesOnly: true,
    options: `-a -d -l -f -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -A -S -n -C -X -J -L:number -P:text -I:text
      --gitignore --ignore-case --matchdirs --metafirst --prune --info --noreport --charset:text --filelimit:number --si --du
      --timefmt:text --inodes --device --dirsfirst --sort:text --nolinks --version --help -o:write -R! -H:text --fromfile!`,
  },
  realpath: {
    ...NAMES,
    options: `-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to:text
      --relative-base:text --strip --no-symlinks --zero`,
  },
  readlink: {
    ...NAMES,
    options:
      "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero",
  },
  basename: { options: "-a -s:text -z --multiple --suffix:text --zero", operands: ["text"], abbreviations: true },
  dirname: { options: "-z --zero", operands: ["text"], abbreviations: true },
  file: {
    options: `-b -i -I -L -h -k -n -N -0 -r -e:text -F:text --brief --mime --mime-type --mime-encoding --dereference --no-dereference
      --keep-going --no-buffer --no-pad --raw --exclude:text --separator:text --extension --print0 --version --help -C! --compile!
      -m:harm --magic-file:harm -f:file --files-from:file`,
    operands: ["file"],
    namesOnly: true,
  },
  tar: {
    operands: ["file"],
    // The first word may be a bundle of letters without a dash, which the caller adds.
    options:
      "-t --list -v --verbose -z --gzip -j --bzip2 -J --xz --zstd -a --auto-compress -f:file --file:file --exclude:text --wildcards -O! -x! -c! -r! -u! -A! -C:folder --directory:folder --to-command:program --checkpoint-action:program -I:program --use-compress-program:program -F:program --info-script:program --new-volume-script:program --rsh-command:program --index-file:write -T:harm --files-from:harm",
    check: (call) =>
      call.has("-t", "--list") &&
      call.options.every(
        ({ name, value }) =>
          !/^(-f|--file)$/.test(name) || (value?.candidates.length === 1 && isPlainArchive(value.text)),
      ),
  },
  unzip: { options: "-l -v -Z -q", operands: ["file", "text"], check: (call) => call.has("-l", "-v", "-Z") },
  zipinfo: { options: "-1 -2 -s -m -l -v -h -t -z", operands: ["file", "text"] },
  lsattr: { options: "-R -V -a -d -v -l -p", operands: ["file"], namesOnly: true },
  getfacl: { options: "-a -d -c -e -n -p -t", operands: ["file"], namesOnly: true },
  nm: {
    options: "-a -A -B -C -D -g -n -p -r -S -u --demangle --defined-only --undefined-only --size-sort --plugin:program",
    operands: ["file"],
    check: takesNoArgumentsFromFile,
  },
  size: { options: "-A -B -t -d -o -x", operands: ["file"], check: takesNoArgumentsFromFile },
  readelf: {
    options: "-a -h -l -S -s -d -n -r -V -W --file-header --program-headers --sections --symbols --dynamic --wide",
    operands: ["file"],
    check: takesNoArgumentsFromFile,
  },
  rg: {
    options: `-e:text -f:file -i -s -S -F -w -x -v -n -N -c -l -o -q -0 -a -A:number -B:number -C:number -g:text -t:text -T:text
      -m:number -M:number -r:text -u -. -L -H -I -p -P -U -j:number -d:number -E:text -b -h -V --regexp:text --file:file
      --ignore-case --case-sensitive --smart-case --fixed-strings --word-regexp --line-regexp --invert-match --line-number
      --no-line-number --count --count-matches --files-with-matches --files-without-match --only-matching --quiet --null --text
      --after-context:number --before-context:number --context:number --glob:text --iglob:text --type:text --type-not:text
      --type-add:text --type-list --max-count:number --max-columns:number --max-columns-preview --replace:text --unrestricted
      --hidden --no-hidden --follow --no-follow --with-filename --no-filename --pretty --pcre2 --engine:text --multiline
      --multiline-dotall --threads:number --max-depth:number --maxdepth:number --max-filesize:text --encoding:text --byte-offset
      --column --no-column --color:text --colors:text --heading --no-heading --no-ignore --no-ignore-vcs --no-ignore-parent
      --no-ignore-dot --no-ignore-global --no-ignore-files --ignore-file:file --files --sort:text --sortr:text --sort-files
      --stats --trim --vimgrep --json --crlf --passthru --passthrough --context-separator:text --field-match-separator:text
      --no-messages --no-config --one-file-system --binary --include-zero --line-buffered --block-buffered --mmap --no-mmap
      --stop-on-nonmatch --no-unicode --glob-case-insensitive --ignore-file-case-insensitive --no-require-git --null-data
      --path-separator:text --dfa-size-limit:text --regex-size-limit:text --auto-hybrid-regex --debug --trace --version --help
      --pre:program --pre-glob:text --hostname-bin:program --hyperlink-format:text -z! --search-zip!`,
    operands: ["text", "file"],
    scriptOptions: ["-e", "-f", "--regexp", "--file", "--files", "--type-list", "--version", "-V"],
    recursive: true,
    followsLinks: ["-L", "--follow"],
  },
  fd: {
    options: `-H -I -u -s -i -g -F -a -L -p -0 -1 -q -d:number -t:text -e:text -E:text -S:text -c:text -j:number -V -h --hidden
      --no-ignore --unrestricted --no-ignore-vcs --no-ignore-parent --case-sensitive --ignore-case --glob --regex --fixed-strings
      --and:text --absolute-path --relative-path --follow --full-path --print0 --max-depth:number --min-depth:number
      --exact-depth:number --prune --type:text --extension:text --exclude:text --size:text --changed-within:text
      --changed-before:text --owner:text --color:text --threads:number --max-results:number --quiet --show-errors
      --base-directory:folder --path-separator:text --search-path:file --strip-cwd-prefix --one-file-system --version --help
      -l! --list-details! -x:program -X:program --exec:program --exec-batch:program --ignore-file:file`,
    operands: ["text", "file"],
    namesOnly: true,
  },
};
