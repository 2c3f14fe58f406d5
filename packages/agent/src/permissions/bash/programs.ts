/** What programs do, by name. The programs that read are in `reading/`; any other program may change anything. */

/** Reserved shell keywords that a command follows. */
export const GRAMMAR = new Set("if then else elif fi do done while until esac { } ! time coproc".split(" "));

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
export const RAISING = new Set(
  `sudo doas chroot unshare nsenter exec strace ltrace flock watch nohup busybox toybox proxychains unbuffer chrt xvfb_run`.split(
    /\s+/,
  ),
);

/** Shells whose syntax is that of bash, or a part of it. */
export const BASH_LIKE = new Set("sh bash dash ash".split(" "));
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
