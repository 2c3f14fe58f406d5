import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "../identity.ts";

/** The launcher's shell writes the processes that the agent left to it; the daemon those that it saw. */
const FILES = { left: "orphans", seen: "descendants" };

const PERL = "/usr/bin/perl";
const PRCTL: Partial<Record<string, number>> = { x64: 157, arm64: 167 };
const PR_SET_CHILD_SUBREAPER = 36;

/**
 * The command that makes the program after it the parent of every descendant whose parent has ended (a child subreaper).
 * Then a process that left the agent's group and cleared its environment is still known by its parent. Node cannot ask
 * the system for this, and perl is on almost every Linux. Elsewhere the command is empty. Variables that change how perl
 * starts are the agent's, so that the agent runs without it.
 */
export function adoptionCommand(env: Readonly<Record<string, string>>): string[] {
  const number = process.platform === "linux" ? PRCTL[process.arch] : undefined;
  if (number === undefined || !existsSync(PERL) || Object.keys(env).some((name) => name.startsWith("PERL"))) return [];
  return [PERL, "-e", `syscall(${number}, ${PR_SET_CHILD_SUBREAPER}, 1, 0, 0, 0); exec { $ARGV[0] } @ARGV`];
}

/**
 * The part of the launcher's script that runs after the agent: writes each child that the shell adopted as a line with
 * its number and start time. It starts no program, which would be a child too.
 */
export const RECORD_ORPHANS = `
read -r boot </proc/sys/kernel/random/boot_id
read -r pids <"/proc/$$/task/$$/children"
for pid in $pids; do
  read -r stat <"/proc/$pid/stat" || continue
  set -- \${stat##*) }
  echo "$pid $boot:\${20}" >>"$dir/${FILES.left}"
done
`;

/** Stores the descendants of a running agent for the next daemon: if the agent ends before, its parent names none. */
export function writeDescendants(dir: string, descendants: readonly Identity[]): void {
  const lines = descendants.map(({ pid, startedAt }) => `${pid} ${startedAt}\n`);
  writeFileSync(join(dir, FILES.seen), lines.join(""), { mode: 0o600 });
}

/** The recorded descendants of an agent, running or not. */
export function readDescendants(dir: string): Identity[] {
  return Object.values(FILES).flatMap((name) => parseDescendants(join(dir, name)));
}

function parseDescendants(path: string): Identity[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [pid = "", ...token] = line.split(" ");
      return /^[1-9]\d*$/.test(pid) && token.length > 0 ? [{ pid: Number(pid), startedAt: token.join(" ") }] : [];
    });
}
