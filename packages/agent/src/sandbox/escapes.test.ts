import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { basename, join } from "node:path";
import { needs, SANDBOX } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { profileFor, removeForbidden, type SandboxProfile } from "./profile.ts";
import { findSandbox } from "./sandbox.ts";

const sandbox = await findSandbox("auto");
const root = realpathSync(mkdtempSync("/var/tmp/gantry-escapes-"));
const gantry = join(root, "home/state");
const repo = join(root, "repo");
const env = { GANTRY_HOME: gantry, HOME: join(root, "home") };
const changing: Action[] = [{ kind: "bash.mutating", command: "x" }];
const servers: Server[] = [];
let tmp = "";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "pipe" }).toString();

beforeAll(() => {
  for (const folder of ["agent", "spool/one", "bin", "lanes/app", "lanes/other"])
    mkdirSync(join(gantry, folder), { recursive: true });
  writeFileSync(join(gantry, "token"), "owner-token");
  writeFileSync(join(gantry, "bin/gantry"), "#!/bin/sh\necho shim\n", { mode: 0o755 });
  writeFileSync(join(gantry, "lanes/app/file"), "in the lane\n");
  execFileSync("/bin/sh", ["-c", `mkfifo ${join(gantry, "spool/one/in")}`]);
  symlinkSync(gantry, join(root, "link"));
  mkdirSync(repo);
  git(repo, "init", "-q", "-b", "main");
  git(repo, "commit", "-q", "--allow-empty", "-m", "first");
  git(repo, "worktree", "add", "-q", join(root, "tree"));
  git(repo, "worktree", "add", "-q", join(root, "tree2"));
  tmp = mkdtempSync(join(root, "tmp-"));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(root, { recursive: true, force: true });
});

describe.runIf(sandbox.kind === "bubblewrap")("sockets that appear while a command runs", () => {
  it("are invisible in the folders for them, wherever these are", () => {
    const run = join(root, "run-of-user");
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, "agent.sock"), "");
    for (const name of ["XDG_RUNTIME_DIR", "TMUX_TMPDIR"]) {
      const options = { home: env.HOME, agentDir: join(gantry, "agent"), env: { ...env, [name]: run }, tmp };
      const hiding = profileFor("auto-edit", changing, { cwd: repo, folders: [] }, options);
      expect(sh(`ls ${run}`, repo, "auto-edit", hiding).out, name).not.toContain("agent.sock");
    }
  });

  it("cannot be reached in plan mode by a datagram socket of a pair", () => {
    const script = `python3 -c 'import socket; socket.socketpair(); print("stream"); socket.socketpair(type=socket.SOCK_DGRAM); print("datagram")'`;
    const { out } = sh(script, repo, "plan");
    expect(out).toContain("stream");
    expect(out).not.toContain("datagram\n");
  });
});

function profile(cwd: string, mode: PermissionMode, actions = changing): SandboxProfile {
  return profileFor(mode, actions, { cwd, folders: [] }, { home: env.HOME, agentDir: join(gantry, "agent"), env, tmp });
}
function sh(script: string, cwd = repo, mode: PermissionMode = "full-auto", sandboxProfile = profile(cwd, mode)) {
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  const [program = "", ...args] = sandbox.wrap(["sh", "-c", script], sandboxProfile, cwd);
  const options = {
    encoding: "utf8" as const,
    env: { ...process.env, SSH_AUTH_SOCK: "/x", TMUX: "/y", DISPLAY: ":0" },
  };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  return { code: status, out: stdout + stderr };
}
function listen(path: string): Promise<void> {
  const server = createServer((socket) => socket.end("outside"));
  servers.push(server);
  return new Promise((ready) => server.listen(path, ready));
}
const connects = (path: string) =>
  `${process.execPath} -e 'require("net").connect(${JSON.stringify(path)}).on("connect",()=>process.exit(0)).on("error",()=>process.exit(7))'`;

describe.skipIf(sandbox.kind !== "bubblewrap")("escapes from the sandbox", needs(SANDBOX), () => {
  it("shows nothing of GANTRY_HOME under any name, in any mode", () => {
    for (const mode of ["plan", "ask", "auto-edit", "full-auto"] as const) {
      for (const path of [`${gantry}/token`, `${root}/link/token`, "../home/state/token", `${root}/home/*/token`]) {
        expect(sh(`cat ${path}`, repo, mode).out, `${mode} ${path}`).not.toContain("owner-token");
      }
      const inHome = profile(env.HOME, mode);
      expect(sh("cat state/token", env.HOME, mode, inHome).out).not.toContain("owner-token");
      expect(sh(`ls ${gantry}`, repo, mode).out.trim()).toBe("bin");
    }
    expect(sh("cat token", gantry).out).not.toContain("owner-token");
  });

  it("shows a lane below GANTRY_HOME to its own session, and the command line to all", () => {
    const lane = join(gantry, "lanes/app");
    expect(sh(`cat file && touch made && ls ${gantry}/lanes`, lane).out.trim()).toBe("in the lane\napp");
    expect(existsSync(join(lane, "made"))).toBe(true);
    expect(sh("cat file; touch made2", lane, "plan").out).toMatch(/^in the lane\n.*Read-only/);
    expect(sh(`${gantry}/bin/gantry`).out.trim()).toBe("shim");
    expect(sh(`touch ${gantry}/bin/gantry`).code).not.toBe(0);
  });

  it("does not reach the stdin of an agent", () => {
    const reader = spawn("cat", [join(gantry, "spool/one/in")], { stdio: ["ignore", "pipe", "ignore"] });
    for (const mode of ["plan", "full-auto"] as const) {
      expect(sh(`test -p ${gantry}/spool/one/in`, repo, mode).code).not.toBe(0);
    }
    reader.kill("SIGKILL");
  });

  it("does not reach sockets of other programs in any folder", async () => {
    const places = [`/tmp/gantry-${process.pid}.sock`, `/run/gantry-${process.pid}.sock`, join(root, "foreign.sock")];
    for (const path of places) await listen(path);
    for (const path of places) {
      for (const mode of ["plan", "full-auto"] as const) expect(sh(connects(path), repo, mode).code, path).toBe(7);
    }
    expect(sh("env").out).not.toMatch(/^(SSH_AUTH_SOCK|TMUX|DISPLAY)=/m);
  });

  it("has temporary files that the next command sees and the machine does not", () => {
    const name = `gantry-note-${process.pid}`;
    expect(sh(`echo stored > /tmp/${name} && mktemp`).code).toBe(0);
    expect(existsSync(`/tmp/${name}`)).toBe(false);
    expect(sh(`cat /tmp/${name}`).out.trim()).toBe("stored");
    expect(readFileSync(join(tmp, name), "utf8")).toBe("stored\n");
    expect(sh(`cat /tmp/${name}; echo x > /tmp/${name}`, repo, "plan").out).toMatch(/stored\n.*Read-only/);
  });

  it("has no capabilities, so that root cannot mount the disk writable", () => {
    expect(sh("mount -o remount,rw,bind / && touch /escaped").code).not.toBe(0);
    expect(sh(`umount /tmp || umount ${gantry}`).code).not.toBe(0);
    expect(sh("unshare -Urm sh -c 'mount -o remount,rw,bind /' ").code).not.toBe(0);
    expect(sh("grep CapEff /proc/self/status").out).toMatch(/CapEff:\s+0+$/m);
  });

  it("cannot change files that make git run programs, and still commits, branches and stashes", () => {
    const commit = "git -c user.name=a -c user.email=a@b";
    const work = (
      n: string,
    ) => `echo 1 > f && git add f && ${commit} commit -qm work && git branch b${n} && git checkout -qb c${n} &&
      echo 2 > f && ${commit} stash -q && ${commit} stash pop -q && ${commit} commit -qam more && git tag t${n} && git gc -q`;
    for (const cwd of [repo, join(root, "tree")]) {
      expect(sh(work(basename(cwd)), cwd), cwd).toEqual({ code: 0, out: "" });
      const common = join(repo, ".git");
      for (const attack of [
        "git config core.fsmonitor 'touch pwned'",
        `echo x >> ${common}/config`,
        `echo x > ${common}/hooks/post-checkout`,
        `mv ${common}/hooks ${common}/h2`,
        `rm -rf ${common}/hooks`,
        `mv ${common} ${common}2`,
        `echo x > ${common}/worktrees/tree2/commondir`,
        `rm ${common}/worktrees/tree2/commondir`,
      ])
        expect(sh(attack, cwd).code, `${cwd}: ${attack}`).not.toBe(0);
    }
    expect(sh("echo 'gitdir: /x' > .git", join(root, "tree")).code).not.toBe(0);
    expect(sh("rm .git", join(root, "tree")).code).not.toBe(0);
  });

  it("moves away files that redirect git to other configuration", () => {
    const sandboxProfile = profile(repo, "full-auto");
    expect(
      sh(
        "echo ../evil > .git/commondir; mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
        repo,
        "full-auto",
        sandboxProfile,
      ).code,
    ).toBe(0);
    expect(removeForbidden(sandboxProfile).sort()).toEqual([
      join(repo, ".git/commondir"),
      join(repo, ".git/info/attributes"),
    ]);
    expect(existsSync(join(repo, ".git/commondir"))).toBe(false);
  });

  it("lets a person allow one of git's files by name", () => {
    const path = join(repo, ".git/config");
    const allowed = profile(repo, "auto-edit", [...changing, { kind: "file.write", path }]);
    expect(sh("git config user.name b", repo, "auto-edit", allowed)).toEqual({ code: 0, out: "" });
  });
});
