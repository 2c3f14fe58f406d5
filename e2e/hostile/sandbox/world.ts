import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { CANARY, ELSEWHERE, GANTRY, HOME, PLAIN, REPO, TREE } from "./probe.ts";
import { ABSTRACT_SOCKETS, FIFOS, PORT, SOCKETS, TMUX } from "./probes/channels.ts";
import { PROBED_CREDENTIALS } from "./probes/files.ts";
import { GIT_FOLDERS, GUARDED_GIT } from "./probes/git.ts";
import { VICTIM } from "./probes/kernel.ts";

const PRISTINE = "/var/tmp/pristine";
/** Files that no probe may change, create or remove. */
const WATCHED = [
  ...GUARDED_GIT,
  ...["file", "new"].map((name) => join(ELSEWHERE, name)),
  ...["token", "bin/gantry", "agent/config.yml"].map((name) => join(GANTRY, name)),
  ...[".bashrc", ".gitconfig", ".ssh/authorized_keys", ".config/autostart/x"].map((name) => join(HOME, name)),
  ...["/tmp/outside-file", "/tmp/outside-note", "/dev/shm/outside-file", "/dev/shm/outside-note", "/escaped"],
];
const GIT_USES = [
  "status --porcelain",
  "add -A",
  "st",
  "-p log -1",
  "commit -q --allow-empty -m x",
  "checkout -q -B probe",
];

/** Everything inside the jail that a probe could reach, with what has reached it. */
export class World {
  readonly #servers: Server[] = [];
  readonly #reached: string[] = [];
  readonly #children: ReturnType<typeof spawn>[] = [];
  #before = new Map<string, string | undefined>();

  async build(): Promise<void> {
    this.#files();
    repositories();
    cpSync(HOME, PRISTINE, { recursive: true, verbatimSymlinks: true, filter: isPlain });
    this.#victim();
    for (const path of [...SOCKETS, ...ABSTRACT_SOCKETS]) await this.listen(path);
    for (const path of FIFOS) this.pipe(path);
    spawnSync("tmux", ["-S", TMUX, "new-session", "-d", "sleep", "600"], { stdio: "ignore" });
    const tcp = createServer((socket) => this.#note("TCP", socket.destroy()));
    await new Promise<void>((ready) => tcp.listen(PORT, "::", ready));
    this.#servers.push(tcp);
    const udp = createSocket("udp4", () => this.#note("UDP"));
    await new Promise<void>((ready) => udp.bind(PORT, "127.0.0.1", ready));
    udp.unref();
    this.#before = new Map(WATCHED.map((path) => [path, contentOf(path)]));
  }

  /** Returns a function that removes the listener. */
  async listen(path: string): Promise<() => void> {
    if (path.startsWith("/")) mkdirSync(dirname(path), { recursive: true });
    const server = createServer((socket) => this.#note(path.replace("\0", "@"), socket.destroy()));
    this.#servers.push(server);
    await new Promise<void>((ready) => server.listen({ path }, ready));
    return () => void server.close();
  }

  /** A named pipe with a process that reads it. Returns a function that removes both. */
  pipe(path: string): () => void {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
    const reader = spawn("/bin/sh", ["-c", 'exec cat <> "$1"', "sh", path], { stdio: ["ignore", "pipe", "ignore"] });
    reader.stdout.on("data", () => this.#note(path));
    this.#children.push(reader);
    return () => {
      reader.kill("SIGKILL");
      rmSync(path, { force: true });
    };
  }

  /** What the probe has caused, and the world as it was. */
  async takeEffects(usesGit: boolean): Promise<string[]> {
    const created = readdirSync(PLAIN).filter((name) => existsSync(join(PLAIN, name, ".git")));
    if (usesGit) for (const folder of [...GIT_FOLDERS, ...created.map((name) => join(PLAIN, name))]) useGit(folder);
    const changed = WATCHED.filter((path) => contentOf(path) !== this.#before.get(path)).map(
      (path) => `${path} changed`,
    );
    const isVictimAlive = this.#children[0]?.exitCode === null && this.#children[0].signalCode === null;
    const effects = [...this.#reached.splice(0), ...changed, ...(isVictimAlive ? [] : ["a process was killed"])];
    if (usesGit || effects.length > 0) this.#restore();
    return effects;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const child of this.#children) child.kill("SIGKILL");
    spawnSync("tmux", ["-S", TMUX, "kill-server"], { stdio: "ignore" });
  }

  #note(what: string, _done?: unknown): void {
    this.#reached.push(`${what} was reached`);
  }

  #restore(): void {
    for (const folder of [REPO, TREE, PLAIN]) {
      rmSync(folder, { recursive: true, force: true });
      cpSync(folder.replace(HOME, PRISTINE), folder, { recursive: true, verbatimSymlinks: true });
    }
    for (const [path, content] of this.#before) {
      if (content === undefined) rmSync(path, { force: true, recursive: true });
      else if (contentOf(path) !== content) writeFileSync(path, content);
    }
  }

  #files(): void {
    for (const folder of ["agent", "bin", "spool/one/given", "lanes/other"])
      mkdirSync(join(GANTRY, folder), { recursive: true });
    for (const name of ["token", "gantry.db", "spool/one/out", "spool/one/given/control-key", "lanes/other/file"])
      writeFileSync(join(GANTRY, name), `${CANARY} of ${name}, long enough for a token\n`);
    writeFileSync(join(GANTRY, "agent/config.yml"), `# ${CANARY}\n`);
    writeFileSync(join(GANTRY, "bin/gantry"), "#!/bin/sh\n", { mode: 0o755 });
    for (const home of [HOME, "/home/other", "/root"].filter(isWritable)) plantCredentials(home);
    mkdirSync(ELSEWHERE, { recursive: true });
    writeFileSync(join(ELSEWHERE, "file"), "untouched\n");
    symlinkSync(GANTRY, join(ELSEWHERE, "gantry-link"));
    for (const path of ["/tmp/outside-file", "/run/outside-file", "/dev/shm/outside-file"]) writeFileSync(path, CANARY);
    writeFileSync(join(HOME, ".bashrc"), "");
    mkdirSync(join(HOME, ".cache"), { recursive: true });
  }

  #victim(): void {
    const victim = spawn("sleep", ["600"], { env: { SECRET: CANARY }, stdio: "ignore" });
    this.#children.push(victim);
    writeFileSync(VICTIM, String(victim.pid));
  }
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args], {
    cwd,
    stdio: "pipe",
    env: gitEnvironment,
  });
const gitEnvironment = { PATH: process.env.PATH, HOME, GIT_CONFIG_NOSYSTEM: "1" };

function repositories(): void {
  const source = join(ELSEWHERE, "source");
  for (const folder of [source, REPO, join(REPO, "packages/nested"), PLAIN]) mkdirSync(folder, { recursive: true });
  for (const folder of [source, REPO, join(REPO, "packages/nested")]) {
    git(folder, "init", "-q", "-b", "main");
    git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  }
  writeFileSync(join(REPO, ".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  git(REPO, "submodule", "--quiet", "add", source, "sub");
  git(REPO, "commit", "-q", "-m", "submodule");
  git(REPO, "worktree", "add", "-q", TREE);
  for (const folder of [REPO, PLAIN]) writeFileSync(join(folder, ".gitattributes"), "* filter=x\n");
  symlinkSync(join(HOME, ".netrc"), join(REPO, "credential-link"));
  plantPrograms();
}

/** Programs that a variable could make the sandbox's own start run. Each leaves a trace elsewhere. */
function plantPrograms(): void {
  mkdirSync(join(REPO, "evil-bin"));
  const effect = `#!/bin/sh\n/usr/bin/touch ${ELSEWHERE}/new\n`;
  for (const name of ["bwrap", "sh", "bash", "perl"])
    writeFileSync(join(REPO, "evil-bin", name), effect, { mode: 0o755 });
  writeFileSync(join(REPO, "evil.sh"), `touch ${ELSEWHERE}/new\n`);
  writeFileSync(join(REPO, "evil.pm"), `open(F, ">", "${ELSEWHERE}/new"); 1;\n`);
  const source = `#include <fcntl.h>\n__attribute__((constructor)) void run(void) { creat("${ELSEWHERE}/new", 0644); }\n`;
  const made = spawnSync("cc", ["-shared", "-fPIC", "-x", "c", "-o", join(REPO, "evil.so"), "-"], { input: source });
  if (made.status !== 0) writeFileSync(join(REPO, "evil.so"), "");
}

function plantCredentials(home: string): void {
  for (const name of [...PROBED_CREDENTIALS, ".netrc", ".ssh", ".npmrc"]) {
    const path = join(home, name);
    const isFile = /\w\.\w+$|rc$|history$|cfg$|credentials?$|tokens?$|config$|pgpass$|hosts$|authority$/i.test(name);
    mkdirSync(isFile ? dirname(path) : path, { recursive: true });
    if (!existsSync(path) || !isFile) writeFileSync(isFile ? path : join(path, "secret"), `${CANARY} ${name}\n`);
  }
}

function useGit(folder: string): void {
  if (!existsSync(folder)) return;
  for (const use of GIT_USES) {
    const args = ["-c", "user.name=a", "-c", "user.email=a@b", ...use.split(" ")];
    spawnSync("git", args, { cwd: folder, stdio: "ignore", env: { ...gitEnvironment, TERM: "dumb" }, timeout: 10_000 });
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function isWritable(home: string): boolean {
  try {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, ".written"), "");
    return true;
  } catch {
    return false;
  }
}

function isPlain(path: string): boolean {
  return !path.startsWith(ELSEWHERE) && !path.startsWith(GANTRY);
}
