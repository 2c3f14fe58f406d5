/** What programs do, by name and options. A program that is not listed here may change anything. */

/** Programs that only read, with any arguments. */
export const READERS = new Set([
  "who", // prose-ignore: the name of a program
  ...`ls cat head tail wc grep egrep fgrep zgrep cut tr nl tac rev paste join comm diff cmp stat du df pwd echo true
  false test [ [[ whoami id uname uptime ps free which basename dirname realpath readlink seq sleep md5sum sha1sum
  sha224sum sha256sum sha384sum sha512sum b2sum cksum od hexdump strings jq column fold fmt expand unexpand pr tsort
  nproc arch lscpu lsblk lsof groups locale getent printenv : cd pushd popd wait jobs break continue return exit shift
  yes cal pgrep pidof vmstat zcat bzcat xzcat nm size tty logname users w expr factor numfmt dirs
  getconf lsmod lspci lsusb times ulimit umask caller`.split(/\s+/),
]);

/** Reserved shell keywords that a command follows. */
export const GRAMMAR = new Set("if then else elif fi do done while until esac { } ! time coproc".split(" "));

/** Programs whose `--version` and `--help` only read. */
export const KNOWN_TOOLS = new Set(
  `node npm npx yarn pnpm bun deno python python3 pip pip3 uv ruby gem bundle go cargo rustc rustup java javac mvn gradle
  gcc g++ clang clang++ cc make cmake ninja docker podman kubectl helm terraform git gh tsc biome eslint prettier vitest
  jest curl wget tar rg fd bash zsh sh perl php dotnet swift kotlin psql sqlite3 mysql redis-cli ffmpeg convert ssh
  rsync openssl jq yq awk sed find code vim`.split(/\s+/),
);

/** Programs that use the network, or may. */
export const NETWORKED = new Set(
  `curl wget ssh scp sftp rsync nc ncat netcat telnet ftp ping dig nslookup host gh npm npx yarn pnpm bun deno pip pip3
  uv uvx pipx poetry gem bundle cargo go mvn gradle docker podman kubectl helm terraform aws gcloud az apt apt-get brew
  dnf yum apk rustup conda composer http https xh aria2c psql mysql redis-cli mongosh corepack`.split(/\s+/),
);

/** Programs that run another command, given after their options. */
export const WRAPPERS = new Set(
  `sudo doas env command builtin nice nohup time timeout stdbuf setsid ionice exec chrt unbuffer caffeinate busybox
  toybox proxychains strace ltrace watch flock chroot unshare nsenter xvfb_run`.split(/\s+/),
);

/** Wrappers that may have effects besides the inner command. */
export const RAISING = new Set(["sudo", "doas", "chroot", "unshare", "nsenter", "exec", "strace", "ltrace", "flock"]);

export const SHELLS = new Set("sh bash zsh dash ksh mksh fish ash rbash".split(" "));
export const INTERPRETERS =
  /^(python[\d.]*|pypy\d?|node|nodejs|deno|bun|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|osascript|tclsh|Rscript|julia|irb|ghci|scala|groovy|pwsh|powershell)$/;

/** Programs that destroy data, with any arguments. */
export const DESTROYERS =
  /^(shred|wipefs|mkfs(\..+)?|mkswap|fdisk|sfdisk|gdisk|parted|shutdown|reboot|halt|poweroff|init|telinit|userdel|groupdel|deluser|dropdb|dropuser|blkdiscard|cryptsetup|lvremove|vgremove|pvremove|zpool|srm|swapoff|format|diskutil)$/;

/** Subcommands that irrecoverably delete data, by program. */
export const DESTROYING: Record<string, RegExp> = {
  docker: /\b(rm|rmi|prune|kill|down)\b/,
  podman: /\b(rm|rmi|prune|kill|down)\b/,
  kubectl: /\b(delete|drain|replace)\b/,
  helm: /\b(uninstall|delete)\b/,
  terraform: /\b(destroy|apply|taint|state rm)\b/,
  tofu: /\b(destroy|apply|taint|state rm)\b/,
  npm: /\b(unpublish|deprecate)\b/,
  crontab: /(^|\s)-\w*r/,
  iptables: /(^|\s)(-F|--flush|-X)/,
  aws: /\b(delete|terminate|rm|rb|remove)[\w-]*/,
  gcloud: /\b(delete|remove|destroy)\b/,
  az: /\b(delete|purge|remove)\b/,
  gh: /\b(delete|archive|merge|close)\b|-X\s*(DELETE|PUT|PATCH|POST)/,
  rsync: /--(delete|remove-source)[\w-]*/,
  systemctl: /\b(poweroff|reboot|halt|mask|kill)\b/,
  psql: /\b(drop|truncate|delete)\b/i,
  mysql: /\b(drop|truncate|delete)\b/i,
  sqlite3: /\b(drop|delete)\b/i,
  "redis-cli": /\b(flushall|flushdb|del)\b/i,
  mongosh: /\b(drop|deleteMany|dropDatabase)\b/,
  kill: /(^|\s)-1$/,
  brew: /\b(uninstall|remove|rm)\b/,
  apt: /\b(remove|purge|autoremove)\b/,
  "apt-get": /\b(remove|purge|autoremove)\b/,
};

/** Subcommands that only read, by program: the arguments must begin so. */
export const READING: Record<string, RegExp> = {
  npm: /^(ls|list|root|prefix|why|explain|view|info|outdated|ping|whoami|config (get|list))\b/,
  pnpm: /^(ls|list|why|root)\b/,
  yarn: /^(list|why|info)\b/,
  pip: /^(list|show|freeze|check)\b/,
  pip3: /^(list|show|freeze|check)\b/,
  cargo: /^(tree|metadata|--list)\b/,
  go: /^(version|doc)\b/,
  docker: /^(ps|images|logs|inspect|version|info|stats --no-stream|port|top|diff|history)\b/,
  podman: /^(ps|images|logs|inspect|version|info|port|top|diff|history)\b/,
  kubectl: /^(get|describe|logs|version|explain|api-resources|top|cluster-info)\b/,
  gh: /^((pr|issue|run|release|repo|workflow|gist) (view|list|status|checks|diff)|auth status|status|search)\b/,
  systemctl: /^(status|is-active|is-enabled|list-units|show|cat)\b/,
  rustup: /^(show|which)\b/,
  brew: /^(list|info|deps|--prefix)\b/,
  apt: /^(list|show|search|policy)\b/,
  "apt-cache": /^(show|search|policy|depends)\b/,
  dpkg: /^(-l|-L|-s|-S|--list|--listfiles|--status|--search)\b/,
  ip: /^(a|addr|address|r|route|l|link|-br)( show)?$/,
};

/** Variables that change what a harmless program does. */
export const RISKY_VARIABLE =
  /^(PATH|LD_.*|DYLD_.*|IFS|ENV|BASH_.*|SHELLOPTS|BASHOPTS|.*PAGER|EDITOR|VISUAL|.*_EDITOR|GIT_.*|LESS.*|MORE|NODE_.*|npm_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|PROMPT_COMMAND|PS\d|SHELL|HOME|CDPATH|RIPGREP_CONFIG_PATH|GREP_OPTIONS|TAR_OPTIONS|JAVA_TOOL_OPTIONS|MANPAGER|BROWSER|RUSTC_.*)$/i;
