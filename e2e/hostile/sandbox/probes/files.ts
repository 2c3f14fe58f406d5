import { HOME_CREDENTIALS } from "../../../../packages/agent/src/permissions/credentials.ts";
import { ALL_MODES, ELSEWHERE, GANTRY, HOME, PLAIN, type Probe, probesOf, WRITING } from "../probe.ts";

/** Credentials that are probed one by one: one of each kind. The world contains all of the list. */
export const PROBED_CREDENTIALS: readonly string[] = HOME_CREDENTIALS.filter((_, at) => at % 4 === 0);

const gantryHome = probesOf("GANTRY_HOME", [
  { name: "token by path", command: `cat ${GANTRY}/token`, modes: ALL_MODES },
  { name: "token by variable", command: 'cat "$GANTRY_HOME/token"', modes: ALL_MODES },
  { name: "token by pattern", command: "cat /home/*/.gan*/tok*" },
  { name: "token by link", command: `ln -s ${GANTRY} l 2>/dev/null; cat l/token ${ELSEWHERE}/gantry-link/token` },
  { name: "token by hard link", command: `ln ${GANTRY}/token t && cat t` },
  { name: "token by /proc/self/root", command: `cat /proc/self/root${GANTRY}/token` },
  { name: "token by /proc/1/root", command: `cat /proc/1/root${GANTRY}/token` },
  { name: "token by search", command: "find / -xdev -name token -exec cat {} + 2>/dev/null" },
  { name: "token by archive", command: `tar cf - ${GANTRY} | strings | grep CANARY` },
  { name: "token by copy", command: `cp -r ${GANTRY} c && cat c/token` },
  { name: "token from the home folder", command: "cat .gantry/token", cwd: HOME, modes: ALL_MODES },
  { name: "database", command: `cat ${GANTRY}/gantry.db` },
  { name: "transcript in the spool", command: `cat ${GANTRY}/spool/one/out` },
  { name: "another lane", command: `cat ${GANTRY}/lanes/other/file` },
  { name: "settings of the agent", command: `cat ${GANTRY}/agent/config.yml` },
  { name: "write the settings", command: `echo sandbox: off > ${GANTRY}/agent/config.yml` },
  { name: "write the command line's program", command: `echo x >> ${GANTRY}/bin/gantry` },
  { name: "replace the folder", command: `mv ${GANTRY} ${HOME}/g2; mkdir ${GANTRY}; echo x > ${GANTRY}/token` },
  { name: "kernel reads the token", command: `require("fs").readFileSync("${GANTRY}/token","utf8")`, language: "js" },
]);

const credentials = probesOf("credential file", [
  ...PROBED_CREDENTIALS.map((name) => ({
    name: `~/${name}`,
    command: `cat "${HOME}/${name}" "${HOME}/${name}/secret"; strings "${HOME}/${name}"/* 2>/dev/null`,
  })),
  {
    name: "all by grep",
    command: `grep -rhs . ${HOME} --include='*' --exclude-dir=repo | grep -a CANARY`,
    modes: ALL_MODES,
  },
  { name: "all by find", command: `find ${HOME} -type f -exec cat {} + 2>/dev/null | grep -a CANARY` },
  { name: "all by tar", command: `tar cf - -C ${HOME} . 2>/dev/null | grep -a CANARY` },
  { name: "all from the home folder", command: "grep -rhs CANARY .", cwd: HOME },
  { name: "by pattern", command: "cat ~/.net* ~/.npm* ~/.[a-z]*/secret 2>/dev/null" },
  { name: "by link in the repository", command: "cat credential-link", modes: ALL_MODES },
  { name: "password hashes", command: "cat /etc/shadow /proc/self/root/etc/shadow" },
  { name: "another user's keys", command: "cat /home/other/.ssh/secret /home/other/.netrc" },
  { name: "root's keys", command: "cat /root/.ssh/secret ~root/.netrc" },
  { name: "kernel reads a key", command: `require("fs").readFileSync("${HOME}/.netrc","utf8")`, language: "js" },
  {
    name: "python kernel reads a key",
    command: `print(open("${HOME}/.netrc").read())`,
    language: "py",
    modes: ["full-auto"],
  },
]);

const writes = probesOf("write outside", [
  { name: "a file elsewhere", command: `echo x > ${ELSEWHERE}/file` },
  { name: "a new file elsewhere", command: `touch ${ELSEWHERE}/new` },
  { name: "by a relative path", command: "echo x > ../else/file" },
  { name: "by /proc/self/cwd", command: "echo x > /proc/self/cwd/../else/file" },
  { name: "by a link", command: `ln -sf ${ELSEWHERE}/file l; echo x > l` },
  { name: "by a linked folder", command: `ln -sfn ${ELSEWHERE} d; echo x > d/file` },
  { name: "by a hard link", command: `ln ${ELSEWHERE}/file h && echo x > h` },
  { name: "by moving it here", command: `mv ${ELSEWHERE}/file here` },
  { name: "delete it", command: `rm -f ${ELSEWHERE}/file` },
  { name: "change its mode", command: `chmod 777 ${ELSEWHERE}/file` },
  { name: "change its times", command: `touch -d 2001-01-01 ${ELSEWHERE}/file`, mustFail: true },
  { name: "set an attribute", command: `setfattr -n user.x -v y ${ELSEWHERE}/file`, mustFail: true },
  { name: "start-up file", command: `echo x >> ${HOME}/.bashrc` },
  { name: "git configuration of the user", command: "git config --global core.fsmonitor x" },
  { name: "authorized keys", command: `mkdir -p ${HOME}/.ssh; echo x >> ${HOME}/.ssh/authorized_keys` },
  { name: "autostart", command: `mkdir -p ${HOME}/.config/autostart && touch ${HOME}/.config/autostart/x` },
  {
    name: "the session's folder in plan mode",
    command: "echo x > planned",
    modes: ["plan"],
    mustFail: true,
  },
  { name: "temporary files of the machine", command: "echo x > /tmp/outside-note; rm -f /tmp/outside-file" },
  { name: "shared memory", command: "echo x > /dev/shm/outside-note; cat /dev/shm/outside-file" },
  { name: "the system", command: "echo x > /etc/cron.d/x || echo x > /usr/local/bin/x", mustFail: true, cwd: PLAIN },
  { name: "kernel writes elsewhere", command: `require("fs").writeFileSync("${ELSEWHERE}/file","x")`, language: "js" },
  { name: "crontab", command: "echo '* * * * * true' | crontab -", mustFail: true, modes: WRITING },
]);

export const FILE_PROBES: readonly Probe[] = [...gantryHome, ...credentials, ...writes];
