import type { ProgramSpec } from "../spec.ts";

const GNU = { abbreviations: true } as const satisfies ProgramSpec;
const TEXT = { operands: ["text"] } as const satisfies ProgramSpec;

/**
 * `ps` mixes three styles of options, and parses a call again in another style where the first one fails. `e` without a
 * dash shows the environment of processes, so only known tokens count.
 */
function isPlainPs(texts: readonly string[]): boolean {
  return texts.every((text, at) => {
    const before = texts[at - 1] ?? "";
    if (/^(-?(ax|ax?ww)?o|-[eA]o|--format|--sort)$/.test(before)) return /^[\w%,=:+-]+$/.test(text);
    if (/^(-p|-q|--p?pid)$/.test(before)) return /^[\d,]+$/.test(text);
    if (before === "-C") return /^[\w.-]+$/.test(text);
    return PS_WORD.test(text);
  });
}
const PS_WORD =
  /^-?(a|x|u|w|f|l|j|ax|au|aux|auxf|auxw|auxww|auxwww|axf|axu|axjf|axuf|axww|xf|xww|lax|axl|o|axo|axwwo)$|^-(ef|eF|efl|efH|efww|elf|ely|A|Af|AF|e|ejH|eLf|H|L|T|ww|d|p|q|C|eo|Ao)$|^--(no-headers|no-heading|headers|forest|format|sort|pid|ppid)$|^--(sort|format)=[\w%,:+-]+$|^--p?pid=[\d,]+$|^[\d,]+$/;

/** Programs that show the state of the machine and the session. */
export const SYSTEM_TOOLS: Readonly<Record<string, ProgramSpec>> = {
  whoami: GNU,
  id: {
    ...GNU,
    options: "-a -Z -g -G -n -r -u -z --context --group --groups --name --real --user --zero",
    operands: ["text"],
  },
  groups: { ...GNU, operands: ["text"] },
  logname: GNU,
  tty: { ...GNU, options: "-s --silent --quiet" },
  users: GNU,
  // biome-ignore format: the marker stands on the line of the name
  who: { ...GNU, // prose-ignore: the name of a program
    options: "-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --count --heading --users",
  },
  w: { options: "-h -s -f -i -o", operands: ["text"] },
  uname: {
    ...GNU,
    options:
      "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system",
  },
  uptime: { ...GNU, options: "-p -s --pretty --since" },
  arch: GNU,
  nproc: { ...GNU, options: "--all --ignore:number" },
  free: { options: "-b -k -m -g -h -w -t -l -s:number -c:number --human --mega --giga --si --total --wide" },
  vmstat: { options: "-a -f -m -n -s -d -D -S:text -t -w", operands: ["number"] },
  lscpu: { options: "-a -b -c -J -e?:text -p?:text -x -y --json --extended?:text --parse?:text" },
  lsblk: {
    options: "-a -b -d -f -i -J -l -m -n -o:text -p -P -r -S -t --json --output:text --fs --all --bytes",
    operands: ["file"],
    namesOnly: true,
  },
  lsmod: {},
  lspci: { options: "-v -k -n -t -m -D" },
  lsusb: { options: "-v -t" },
  lsof: {
    options: "-a -b -h -l -n -N -O -P -R -t -U -V -w -X -i?:text -p:text -u:text -c:text -d:text -F?:text -D:write",
    operands: ["text"],
    // With the name of a host it asks a name server.
    check: (call) => call.options.every(({ name, value }) => name !== "-i" || !/@/.test(value?.text ?? "")),
  },
  ps: { raw: isPlainPs },
  pgrep: {
    options:
      "-a -c -d:text -f -g:text -G:text -i -l -n -o -P:text -s:text -t:text -u:text -U:text -v -w -x --full --list-name --list-full --count --exact --newest --oldest --parent:text --uid:text --euid:text",
    operands: ["text"],
  },
  pidof: { options: "-s -q -x -c -o:text", operands: ["text"] },
  date: {
    ...GNU,
    options: `-d:text -f:file -I?:text -r:file -R -u --date:text --debug --file:file --iso-8601?:text --reference:file --rfc-email
      --rfc-3339:text --utc --universal -s:write --set:write`,
    operands: ["text"],
    check: ({ operands }) => operands.every(({ text }) => text.startsWith("+")),
  },
  cal: { options: "-1 -3 -s -m -j -y -Y -w -h -n:number", operands: ["text"] },
  hostname: {
    options:
      "-s -I -i -f -d -A -y --short --fqdn --long --all-ip-addresses --ip-address --domain -F:write --file:write -b!",
  },
  locale: { options: "-a -m -c -k --all-locales --charmaps --keyword-name --category-name", operands: ["text"] },
  getconf: { options: "-a -v:text", operands: ["text"] },
  // Other databases hold password hashes or ask a name server.
  getent: {
    operands: ["text"],
    check: ({ operands: [database] }) =>
      database !== undefined && /^(passwd|group|services|protocols)$/.test(database.text),
  },
  printenv: { ...GNU, options: "-0 --null", operands: ["text"] },
  which: { ...TEXT, options: "-a -s --all" },
  whereis: { ...TEXT, options: "-b -m -s -u -l" },
  seq: { options: "-f:text -s:text -w --format:text --separator:text --equal-width", operands: ["text"] },
  sleep: { operands: ["text"] },
  yes: TEXT,
  expr: TEXT,
  factor: TEXT,
  numfmt: {
    ...GNU,
    options:
      "-d:text --to:text --from:text --suffix:text --padding:number --format:text --field:text --header?:number --delimiter:text --round:text --to-unit:text --from-unit:text --grouping --zero-terminated",
    operands: ["text"],
  },
  ip: {
    operands: ["text"],
    options: "-br -4 -6 -s -j -c -o",
    singleDash: true,
    check: ({ operands }) =>
      /^(a|addr|address|r|route|l|link)( show( [\w.@-]+)?)?$/.test(operands.map(({ text }) => text).join(" ")),
  },
  systemctl: {
    options:
      "--no-pager -l --full -n:number --lines:number --user --all -a -t:text --type:text --state:text --failed -p:text --property:text --no-legend",
    subcommands: Object.fromEntries(
      [
        "status",
        "is-active",
        "is-enabled",
        "is-failed",
        "list-units",
        "list-timers",
        "list-unit-files",
        "show",
        "cat",
      ].map((name) => [
        name,
        {
          operands: ["text"],
          options:
            "--no-pager -l --full -n:number --lines:number --user --all -a -t:text --type:text --state:text --failed -p:text --property:text --no-legend",
        },
      ]),
    ),
  },
  apt: {
    subcommands: {
      list: { operands: ["text"], options: "--installed --upgradable -a --all-versions" },
      show: { operands: ["text"], options: "-a --all-versions" },
      search: { operands: ["text"], options: "-n --names-only --full" },
      policy: TEXT,
    },
  },
  "apt-cache": {
    subcommands: {
      show: TEXT,
      search: { ...TEXT, options: "-n --names-only" },
      policy: TEXT,
      depends: TEXT,
      rdepends: TEXT,
    },
  },
  dpkg: {
    ...TEXT,
    options: "-l -L -s -S --list --listfiles --status --search --get-selections --print-architecture",
    check: (call) => call.options.length > 0,
  },
  "dpkg-query": {
    ...TEXT,
    options: "-l -L -s -S -W -f:text --list --listfiles --status --search --show --showformat:text",
  },
  rpm: {
    ...TEXT,
    options: "-q -a -i -l -f -c -d --query --all --info --list",
    check: (call) => call.has("-q", "--query"),
  },
  brew: {
    subcommands: { list: { ...TEXT, options: "--versions -1 --formula --cask" }, deps: TEXT },
    options: "--prefix --version",
    alone: true,
  },
};
