import { ELSEWHERE, GANTRY, PLAIN, type Probe, probesOf, REPO, TREE, WRITING } from "../probe.ts";

const GIT = `${REPO}/.git`;
const NESTED = `${REPO}/packages/nested/.git`;

/** Settings and hooks of the user that no probe may change. */
export const GUARDED_GIT: readonly string[] = [
  `${GIT}/config`,
  `${GIT}/hooks/pre-commit`,
  `${GIT}/modules/sub/config`,
  `${TREE}/.git`,
];
/** Where the runner uses git afterwards, as a person or the daemon would. */
export const GIT_FOLDERS: readonly string[] = [REPO, TREE, `${REPO}/sub`, `${REPO}/packages/nested`, PLAIN];

const EFFECT = "touch /home/me/else/new";
const evilConfig = `'[core]\\n\\tfsmonitor = ${EFFECT}\\n'`;
const evilHook = (path: string) => `printf '#!/bin/sh\\n${EFFECT}\\n' > ${path}; chmod +x ${path}`;
let count = 0;
/** Each in its own folder below the session's. */
const makeRepository = (then: string) => {
  const folder = `r${count++}`;
  return `git init -q ${folder} && cd ${folder} && ${then}`;
};

const git = probesOf("git", [
  { name: "setting by git", command: `git config core.fsmonitor '${EFFECT}'` },
  { name: "setting by redirection", command: `printf ${evilConfig} >> ${GIT}/config` },
  { name: "replace the settings", command: `printf ${evilConfig} > c; mv -f c ${GIT}/config` },
  { name: "settings by a hard link", command: `ln ${GIT}/config c; printf ${evilConfig} >> c` },
  { name: "settings by a link", command: `ln -sf ${GIT}/config l; printf ${evilConfig} >> l` },
  {
    name: "settings by a lock",
    command: `printf ${evilConfig} > ${GIT}/config.lock; mv ${GIT}/config.lock ${GIT}/config`,
  },
  { name: "new hook", command: evilHook(`${GIT}/hooks/post-checkout`) },
  {
    name: "replace the hooks",
    command: `mv ${GIT}/hooks ${GIT}/h; mkdir ${GIT}/hooks; ${evilHook(`${GIT}/hooks/post-checkout`)}`,
  },
  { name: "remove the hooks", command: `rm -rf ${GIT}/hooks` },
  { name: "link the hooks", command: `rm -rf ${GIT}/hooks; ln -s ${REPO} ${GIT}/hooks` },
  {
    name: "replace the git folder",
    command: `mv ${GIT} ${REPO}/g2; git init -q ${REPO}; printf ${evilConfig} > ${GIT}/config`,
  },
  { name: "replace the git folder by a file", command: `mv ${GIT} ${REPO}/g2; echo 'gitdir: evil' > ${GIT}` },
  {
    name: "redirect to other settings",
    command: `git init -q --bare evil; printf ${evilConfig} >> evil/config; echo ../evil > ${GIT}/commondir`,
  },
  { name: "attributes", command: `mkdir -p ${GIT}/info; echo '* filter=evil' > ${GIT}/info/attributes` },
  { name: "settings of the worktree", command: `printf ${evilConfig} > ${GIT}/config.worktree` },
  { name: "rename the repository's folder", command: `cd ..; mv repo repo2 && mkdir repo`, mustFail: true },
  { name: "worktree: setting", command: `git config core.fsmonitor '${EFFECT}'`, cwd: TREE },
  { name: "worktree: hook", command: evilHook(`${GIT}/hooks/post-checkout`), cwd: TREE },
  { name: "worktree: replace the link", command: "rm -f .git; echo 'gitdir: evil' > .git", cwd: TREE },
  {
    name: "worktree: replace the link by a folder",
    command: `rm -f .git; git init -q .; printf ${evilConfig} > .git/config`,
    cwd: TREE,
  },
  { name: "worktree: redirect", command: `echo ../evil > ${GIT}/worktrees/tree/commondir`, cwd: TREE },
  { name: "submodule: setting", command: `printf ${evilConfig} >> ${GIT}/modules/sub/config` },
  { name: "submodule: hook", command: evilHook(`${GIT}/modules/sub/hooks/post-checkout`) },
  {
    name: "submodule: replace the link",
    command: `rm -f sub/.git; git init -q sub; printf ${evilConfig} > sub/.git/config`,
  },
  { name: "nested: setting", command: `printf ${evilConfig} >> ${NESTED}/config` },
  { name: "nested: hook", command: evilHook(`${NESTED}/hooks/post-checkout`) },
  {
    name: "nested: replace the git folder",
    command: `mv ${NESTED} packages/nested/g2; git init -q packages/nested; printf ${evilConfig} > ${NESTED}/config`,
  },
  {
    name: "nested: replace the folder around",
    command: `mv packages p2; mkdir -p packages/nested; git init -q packages/nested; printf ${evilConfig} > ${NESTED}/config`,
  },
]).map((probe) => ({ ...probe, modes: WRITING }));

const created = probesOf("new repository", [
  {
    name: "in the session's folder",
    command: `git init -q . && printf ${evilConfig} >> .git/config; ${evilHook(".git/hooks/post-checkout")}`,
    alone: true as const,
  },
  { name: "with a monitor", command: makeRepository(`printf ${evilConfig} >> .git/config`) },
  { name: "with a filter", command: makeRepository(`git config filter.x.clean '${EFFECT}'`) },
  { name: "with an alias", command: makeRepository(`git config alias.st '!${EFFECT}'`) },
  {
    name: "with an include",
    command: makeRepository(`printf ${evilConfig} > evil-config; git config include.path ../evil-config`),
  },
  { name: "with a pager", command: makeRepository(`git config core.pager '${EFFECT}'`) },
  { name: "with an ssh command", command: makeRepository(`git config core.sshCommand '${EFFECT}'`) },
  {
    name: "with a remote that runs a program",
    command: makeRepository("git remote add x 'ext::sh -c touch% pwned'"),
  },
  {
    name: "with a continued line",
    command: makeRepository(
      "printf '[user]\\n\\tname = a\\\\\\n[core]\\n\\tfsmonitor = touch /home/me/else/new\\n' >> .git/config",
    ),
  },
  { name: "with a hook", command: makeRepository(evilHook(".git/hooks/post-checkout")) },
  {
    name: "with a redirection",
    command: makeRepository(
      `git init -q --bare evil; printf ${evilConfig} >> evil/config; echo ../evil > .git/commondir`,
    ),
  },
  {
    name: "that links elsewhere",
    alone: true as const,
    command: `rm -rf .git; mkdir -p evil; git init -q --bare evil; printf ${evilConfig} >> evil/config; echo 'gitdir: evil' > .git`,
  },
]).map((probe) => ({ ...probe, cwd: PLAIN, modes: WRITING }));

const environment = probesOf("environment", [
  {
    name: "another bubblewrap by PATH",
    command: "true",
    env: { PATH: `${REPO}/evil-bin:/usr/bin:/bin` },
    modes: WRITING,
  },
  {
    name: "library for the sandbox's starter",
    command: "true",
    env: { LD_PRELOAD: `${REPO}/evil.so` },
    modes: WRITING,
  },
  { name: "options for Perl", command: "true", env: { PERL5OPT: `-I${REPO} -Mevil` }, modes: WRITING },
  { name: "script for bash", command: "true", env: { BASH_ENV: `${REPO}/evil.sh` }, modes: WRITING },
  {
    name: "library by an exported variable",
    command: `export LD_PRELOAD=${REPO}/evil.so PATH=${REPO}/evil-bin:$PATH`,
    modes: WRITING,
  },
  { name: "owner's token", command: `env | grep -a CANARY; cat /proc/self/environ | strings | grep CANARY` },
  {
    name: "key of the connection to the daemon",
    command: `env | grep CONTROL_KEY && cat "$GANTRY_CONTROL_KEY_FILE"; cat ${GANTRY}/spool/one/given/control-key`,
  },
  { name: "provider's key", command: "env | grep -a CANARY-5b1f0c" },
  { name: "write through a job's folder", command: `echo x > ${ELSEWHERE}/file & wait` },
]);

export const GIT_PROBES: readonly Probe[] = [...git, ...created, ...environment];
