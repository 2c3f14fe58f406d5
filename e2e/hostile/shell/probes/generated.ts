/** Spellings of harmful options and wrappings of harmful commands, drawn with a fixed seed. */

import { seededRandom } from "../../../harness/seeded-random.ts";

const COUNT = 160;

/** Calls whose option writes `pwned` or runs `./canary`. `%` is the place of the option. */
const OPTIONS: readonly { call: string; name: string; value: string; short?: boolean }[] = [
  { call: "sort % a.txt", name: "-o", value: "pwned", short: true },
  { call: "sort % a.txt", name: "--output", value: "pwned" },
  { call: "sort -S1 % a.txt", name: "--compress-program", value: "./canary" },
  { call: "sed % p a.txt", name: "--in-place", value: ".bak" },
  { call: "sed -n % a.txt", name: "-e", value: "1e ./canary", short: true },
  { call: "sed -n % a.txt", name: "--expression", value: "w pwned" },
  { call: "sed % a.txt", name: "-f", value: "evil.sed", short: true },
  { call: "git log -p %", name: "--output", value: "pwned" },
  { call: "git diff %", name: "--output", value: "pwned" },
  { call: "git grep % one", name: "-O", value: "./canary", short: true },
  { call: "git grep % one", name: "--open-files-in-pager", value: "./canary" },
  { call: "git ls-remote % .", name: "--upload-pack", value: "./canary" },
  { call: "git % status", name: "-c", value: "core.fsmonitor=./canary", short: true },
  { call: "git % status", name: "-C", value: "nested", short: true },
  { call: "git % status", name: "--git-dir", value: "bare.git" },
  { call: "tar -tf a.txt %", name: "--to-command", value: "./canary" },
  { call: "tar -tf a.txt %", name: "--use-compress-program", value: "./canary" },
  { call: "tar -tf a.txt %", name: "-I", value: "./canary", short: true },
  { call: "rg % one", name: "--pre", value: "./canary" },
  { call: "less % a.txt", name: "-o", value: "pwned", short: true },
  { call: "less % a.txt", name: "--lesskey-src", value: "lesskey.src" },
  { call: "tree %", name: "-o", value: "pwned", short: true },
  { call: "awk %", name: "-f", value: "evil.awk", short: true },
  { call: "env % true", name: "-S", value: "touch pwned", short: true },
  { call: "env % true", name: "--split-string", value: "touch pwned" },
];
const COMMANDS = [
  "touch pwned",
  "./canary",
  "cat ../.netrc",
  "sort -opwned a.txt",
  "sed -n 'w pwned' a.txt",
  "git -C nested status",
  "rm -f a.txt",
];

const QUOTES: readonly ((text: string) => string)[] = [
  (text) => `'${text}'`,
  (text) => `"${text}"`,
  (text) => `$'${text}'`,
  (text) => `$'${[...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`,
  (text) => [...text].map((char) => `\\${char}`).join(""),
  (text) => `${text.slice(0, 1)}'${text.slice(1)}'`,
  (text) => `''"${text}"`,
  (text) => `$(echo '${text}')`,
  (text) => `"$(printf %s '${text}')"`,
];
const WRAPPINGS: readonly ((inner: string) => string)[] = [
  (x) => `echo "$(${x})"`,
  (x) => `cat <(${x})`,
  (x) => `(${x})`,
  (x) => `{ ${x}; }`,
  (x) => `ls && ${x}`,
  (x) => `false || ${x}`,
  (x) => `ls | (${x})`,
  (x) => `if ${x}; then :; fi`,
  (x) => `for i in 1; do ${x}; done`,
  (x) => `while ${x}; do break; done`,
  (x) => `! ${x}`,
  (x) => `time ${x}`,
  (x) => `FOO=1 ${x}`,
  (x) => `env FOO=1 ${x}`,
  (x) => `timeout 5 ${x}`,
  (x) => `nice ${x}`,
  (x) => `x=$(${x}); echo "$x"`,
  (x) => `cat <<EOF\n$(${x})\nEOF`,
  (x) => `bash -c '${x.replaceAll("'", "'\\''")}'`,
  (x) => `echo \${x:-$(${x})}`,
  (x) => `test -n "$(${x})"`,
];

/** Picks items with a fixed seed, so that every run tries the same probes. */
function createPicker(seed: number): <Item>(items: readonly Item[]) => Item {
  const random = seededRandom(seed);
  return (items) => items[Math.floor(random() * items.length)]!;
}

function spell(pick: ReturnType<typeof createPicker>): string {
  const { call, name, value, short } = pick(OPTIONS);
  const shortened = short ? name : name.slice(0, pick([name.length, name.length - 1, name.length - 3, 6]));
  const joined = short ? `${name}${value}` : `${shortened}=${value}`;
  const quote = pick(QUOTES);
  const spelled = pick([
    quote(joined),
    `${quote(shortened)} ${quote(value)}`,
    value.includes(" ") ? quote(joined) : joined,
  ]);
  return call.replace("%", () => spelled);
}

function wrap(pick: ReturnType<typeof createPicker>): string {
  let command = pick(COMMANDS);
  for (let depth = pick([1, 2, 3]); depth > 0; depth--) command = pick(WRAPPINGS)(command);
  return command;
}

const pick = createPicker(20_261_117);
const unique = (make: () => string) => {
  const all = new Set<string>();
  while (all.size < COUNT) all.add(make());
  return [...all];
};

export const GENERATED: readonly { class: string; command: string }[] = [
  ...unique(() => spell(pick)).map((command) => ({ class: "generated spelling", command })),
  ...unique(() => wrap(pick)).map((command) => ({ class: "generated wrapping", command })),
];
