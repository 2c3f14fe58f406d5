import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";

/** The user that runs the agent inside the jail. */
export type JailUser = { name: string; uid?: number };

const REPOSITORY = resolve(import.meta.dirname, "../../..");

/**
 * Sets up the jail: separate processes, network, and mounts; the machine's disk read-only; empty home folders and temporary
 * folders. A probe that escapes from the sandbox is still in here. Arguments: repository, folder of node, user id.
 * The files 7 and 40 are left open for the probes of inherited files.
 */
const SET_UP = `
set -e
repository=$1 node=$2 uid=$3
ip link set lo up 2>/dev/null || ifconfig lo up
mount -t tmpfs jail /mnt
mkdir /mnt/repository /mnt/node
mount --rbind "$repository" /mnt/repository
mount --bind "$node" /mnt/node
echo CANARY-5b1f0c > /mnt/shadow
chmod 640 /mnt/shadow
mount --bind /mnt/shadow /etc/shadow
for folder in /home /root /tmp /var/tmp /run /dev/shm; do mount -t tmpfs -o mode=1777 jail $folder; done
mkdir /home/me
mount -o remount,ro,bind /
mount -o remount,ro,bind /mnt/repository
echo CANARY-5b1f0c > /tmp/open
exec 7</tmp/open 40</tmp/open
cd /
export PATH=/mnt/node:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/me
runner=/mnt/repository/e2e/hostile/sandbox/runner.ts
if [ -z "$uid" ]; then exec node --disable-warning=ExperimentalWarning $runner; fi
chown $uid /home/me
chmod 700 /root
exec setpriv --reuid "$uid" --regid "$uid" --clear-groups node --disable-warning=ExperimentalWarning $runner
`;

const PATIENCE_MS = 600_000;
const PROGRAMS = ["bwrap", "unshare", "setpriv", "git", "perl", "tmux"];

/** The users that this machine can run the probes as, or why it cannot run any. */
export function jailUsers(): JailUser[] | string {
  const missing = PROGRAMS.filter((name) => spawnSync("which", [name]).status !== 0);
  if (process.platform !== "linux") return "The sandbox suite needs Linux.";
  if (missing.length > 0) return `These programs are missing: ${missing.join(", ")}.`;
  return process.getuid?.() === 0 ? [{ name: "root" }, { name: "user", uid: 1000 }] : [{ name: "user" }];
}

/** Runs the runner in a jail. `onLine` gets each line of its output. Resolves at its end with its error output. */
export function startJail({ uid }: JailUser, onLine: (line: string) => void): Promise<string> {
  const namespaces = ["--mount", "--pid", "--fork", "--net", "--ipc", "--uts", "--mount-proc", "--kill-child"];
  const asUser = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const node = dirname(realpathSync(process.execPath));
  const script = ["/bin/bash", "-c", SET_UP, "jail", REPOSITORY, node, uid === undefined ? "" : String(uid)];
  const child = spawn("unshare", [...asUser, ...namespaces, ...script], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH },
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
  });
  createInterface({ input: child.stdout }).on("line", onLine);
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString("utf8")).slice(-2000);
  });
  return new Promise((done) => child.on("close", () => done(errors)));
}
