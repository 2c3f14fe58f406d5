import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { needs, SANDBOX } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { HOME_CREDENTIALS } from "../permissions/credentials.ts";
import { languageServerProfile, profileFor, removeForbidden, type SandboxProfile } from "./profile.ts";
import { findSandbox } from "./sandbox.ts";
import { seatbeltRules } from "./seatbelt.ts";
import { callFilter } from "./system-calls.ts";

const sandbox = await findSandbox("auto");
const root = realpathSync(mkdtempSync("/var/tmp/gantry-boundary-"));
const home = join(root, "home");
const work = join(root, "work");
const changing: Action[] = [{ kind: "bash.mutating", command: "x" }];
const MODES = ["plan", "ask", "auto-edit", "full-auto"] as const;
const CANARY = "canary-of-the-boundary";
let options = { home, agentDir: join(home, ".gantry/agent"), tmp: "" };

beforeAll(() => {
  mkdirSync(work);
  for (const name of [".netrc", ".npmrc", ".config/gh/hosts.yml", ".ssh/id_rsa", ".claude/.credentials.json"]) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), CANARY);
  }
  options = { ...options, tmp: mkdtempSync(join(root, "tmp-")) };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const profile = (mode: PermissionMode, actions = changing, cwd = work, more = {}) =>
  profileFor(mode, actions, { cwd, folders: [] }, { ...options, ...more });
function sh(script: string, sandboxProfile: SandboxProfile, cwd = work) {
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  const [program = "", ...args] = sandbox.wrap(["bash", "-c", script], sandboxProfile, cwd);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 20_000 });
  return { code: status, out: stdout + stderr };
}

describe.skipIf(sandbox.kind !== "bubblewrap")("credentials in the sandbox", needs(SANDBOX), () => {
  const all = "cat ~/.netrc ~/.npmrc ~/.config/gh/hosts.yml ~/.ssh/id_rsa ~/.claude/.credentials.json; grep -rs . ~";

  it("are hidden in every mode, also from a command in the home folder", () => {
    for (const mode of MODES) {
      const script = all.replaceAll("~", home);
      expect(sh(script, profile(mode)).out, mode).not.toContain(CANARY);
      expect(sh(script, profile(mode, changing, home), home).out, mode).not.toContain(CANARY);
    }
  });

  it("are visible to a command that names one, and only that one", () => {
    const actions: Action[] = [{ kind: "file.read", path: join(home, ".netrc") }];
    const shown = sh(`cat ${home}/.netrc; echo; cat ${home}/.npmrc`, profile("plan", actions)).out;
    expect(shown.match(new RegExp(CANARY, "g"))).toHaveLength(1);
  });

  it("are visible if the settings of the user list them", () => {
    const sandboxProfile = profile("full-auto", changing, work, { shown: [join(home, ".npmrc")] });
    expect(sh(`cat ${home}/.npmrc`, sandboxProfile).out).toBe(CANARY);
    expect(sh(`echo x > ${home}/.npmrc`, sandboxProfile).code).not.toBe(0);
  });

  it("cover every entry of the list", () => {
    const { hidden } = profile("plan");
    for (const name of HOME_CREDENTIALS) expect(hidden).toContain(join(home, name));
  });
});

describe.skipIf(sandbox.kind !== "bubblewrap")("channels out of the sandbox", needs(SANDBOX), () => {
  it("do not include named pipes outside of the session's folders, also not new ones", async () => {
    const pipe = join(root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("sh", ["-c", 'exec cat <> "$1"', "sh", pipe], { stdio: ["ignore", "pipe", "ignore"] });
    let received = "";
    reader.stdout.on("data", (chunk: Buffer) => {
      received += chunk.toString();
    });
    for (const mode of MODES) sh(`timeout 3 bash -c 'echo ${mode} > ${pipe}'`, profile(mode));
    expect(sh(`mkfifo p; (echo own > p &) ; cat p`, profile("full-auto")).out).toBe("own\n");
    reader.kill("SIGKILL");
    expect(received).toBe("");
  });

  it("do not include abstract sockets, with and without network", async () => {
    const name = `\0gantry-${process.pid}`;
    let count = 0;
    const server = createServer(() => count++);
    await new Promise<void>((ready) => server.listen({ path: name }, ready));
    const code = `require("net").connect({path:"\\0gantry-${process.pid}"}).on("connect",()=>process.exit(0)).on("error",()=>process.exit(7))`;
    for (const mode of ["plan", "full-auto"] as const) {
      expect(sh(`${process.execPath} -e '${code}'`, profile(mode)).code, mode).toBe(7);
    }
    server.close();
    expect(count).toBe(0);
  });

  it("do not include sockets at all while only reading, and include own sockets otherwise", () => {
    const code = `require("net").createServer().listen("${work}/s").on("listening",()=>process.exit(0)).on("error",()=>process.exit(7))`;
    expect(sh(`${process.execPath} -e '${code}'`, profile("plan")).code).toBe(7);
    expect(sh(`${process.execPath} -e '${code}'`, profile("full-auto")).code).toBe(0);
  });
});

describe.skipIf(sandbox.kind !== "bubblewrap")("the kernel in the sandbox", needs(SANDBOX), () => {
  it("refuses settings of the machine, new user namespaces, keyrings and unusual sockets", () => {
    for (const script of [
      'f=/proc/sys/kernel/core_pattern; v=$(cat $f) && echo "$v" > $f',
      'f=/proc/sys/vm/swappiness; v=$(cat $f) && echo "$v" > $f',
      "unshare -Ur true",
      "perl -e 'exit(syscall(250, 0, -3, 0) < 0 ? 1 : 0)'",
      "perl -e 'exit(socket(S, 40, 1, 0) ? 0 : 1)'",
      "perl -e 'exit(socket(S, 38, 5, 0) ? 0 : 1)'",
      "bwrap --bind / / true",
    ])
      for (const mode of ["plan", "full-auto"] as const) expect(sh(script, profile(mode)).code, script).not.toBe(0);
    expect(sh("grep -E '^(Seccomp|NoNewPrivs|CapBnd):' /proc/self/status", profile("plan")).out).toMatch(
      /CapBnd:\s+0+\nNoNewPrivs:\s+1\nSeccomp:\s+2/,
    );
  });

  it("does not pass on files that the agent inherited", () => {
    if (sandbox.kind === "none") return;
    const file = join(root, "inherited");
    writeFileSync(file, CANARY);
    const [program = "", ...args] = sandbox.wrap(
      ["bash", "-c", "cat <&5; cat /proc/self/fd/33"],
      profile("plan"),
      work,
    );
    const script = 'exec "$@" 5<"$0" 33<"$0"';
    const { stdout } = spawnSync("bash", ["-c", script, file, program, ...args], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});

describe.skipIf(sandbox.kind !== "bubblewrap")("repositories below the session's folder", needs(SANDBOX), () => {
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });

  it("keep their settings and hooks", () => {
    const nested = join(work, "a/b");
    mkdirSync(nested, { recursive: true });
    git(nested, "init", "-q");
    const sandboxProfile = profile("full-auto");
    for (const script of ["git config core.fsmonitor x", "touch .git/hooks/x", "mv .git g", "rm -rf .git/hooks"])
      expect(sh(`cd a/b && ${script}`, sandboxProfile).code, script).not.toBe(0);
    expect(sh("cd a/b && touch f && git add f", sandboxProfile)).toEqual({ code: 0, out: "" });
  });

  it("are created without programs: only the files that name some are moved away", () => {
    const create = (name: string, script: string) => {
      const sandboxProfile = profile("full-auto");
      expect(sh(`git init -q ${name} && cd ${name} && ${script}`, sandboxProfile).code).toBe(0);
      return removeForbidden(sandboxProfile).map((path) => path.slice(join(work, name).length + 1));
    };
    expect(create("r1", "git remote add origin ../x && git config user.name a && git switch -qc b")).toEqual([]);
    expect(create("r2", "git config core.fsmonitor x")).toEqual([".git/config"]);
    expect(create("r3", "touch .git/hooks/post-checkout")).toEqual([".git/hooks"]);
    expect(create("r4", "git config alias.x '!y'; git config include.path z")).toEqual([".git/config"]);
    expect(create("r5", "git remote add o 'ext::sh -c x'")).toEqual([".git/config"]);
    expect(create("r6", "printf '[user]\\n\\tname = a\\\\\\n[core]\\n\\tpager = x\\n' >> .git/config")).toEqual([
      ".git/config",
    ]);
    expect(existsSync(join(work, "r2/.git/HEAD"))).toBe(true);
  });
});

describe("profiles", () => {
  it("of a language server are the same in every mode: the project read-only, no network, private caches", () => {
    const { writable, network, env } = languageServerProfile({ cwd: work, folders: [] }, options);
    expect({ writable, network }).toEqual({ writable: [options.tmp], network: false });
    expect(Object.values(env ?? {}).every((path) => path.startsWith(options.tmp))).toBe(true);
  });

  it("have a filter for the known architectures, with a jump that ends inside of the program", () => {
    for (const arch of ["x64", "arm64"]) {
      for (const unixSockets of [true, false]) {
        const filter = callFilter({ unixSockets }, arch)!;
        const length = filter.length / 8;
        for (let at = 0; at < length; at++) {
          const isJump = (filter.readUInt16LE(at * 8) & 7) === 5;
          const furthest = at + 1 + Math.max(filter[at * 8 + 2]!, filter[at * 8 + 3]!);
          if (isJump) expect(furthest).toBeLessThan(length);
        }
        expect(filter.readUInt16LE((length - 1) * 8)).toBe(6);
      }
    }
    expect(callFilter({ unixSockets: true }, "mips")).toBeUndefined();
  });

  it("hide the same credentials on macOS, and deny sockets of services", () => {
    const rules = seatbeltRules(profile("full-auto"), work);
    expect(rules).toContain(`(deny file-read* file-write* (subpath ${JSON.stringify(join(home, ".netrc"))}))`);
    expect(rules).toContain('(deny network-outbound (subpath "/private/var/run")');
    expect(seatbeltRules(profile("plan"), work).split("\n").at(-1)).toBe("(deny network*)");
  });
});

it("reads the canary outside of the sandbox, so that its absence means something", () => {
  expect(readFileSync(join(home, ".netrc"), "utf8")).toBe(CANARY);
});
