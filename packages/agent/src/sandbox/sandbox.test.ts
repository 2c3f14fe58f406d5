import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs, SANDBOX } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { gitFolders } from "../permissions/git-folders.ts";
import { profileFor, type SandboxProfile } from "./profile.ts";
import { findSandbox } from "./sandbox.ts";
import { seatbeltRules } from "./seatbelt.ts";

const sandbox = await findSandbox("auto");
const root = realpathSync(mkdtempSync("/var/tmp/gantry-sandbox-"));
const place = { cwd: join(root, "app"), folders: [join(root, "lib")] };
const options = { home: join(root, "home"), agentDir: join(root, "home/.gantry/agent") };
const changing: Action[] = [{ kind: "bash.mutating", command: "x" }];
const reading: Action[] = [{ kind: "bash.readonly", command: "x" }];

beforeAll(() => {
  for (const folder of [...place.folders, place.cwd, join(root, "home/.ssh"), options.agentDir, join(root, "else")]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(root, "home/.ssh/id_rsa"), "the key");
  writeFileSync(join(root, "else/readable"), "seen");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function sh(script: string, profile: SandboxProfile): { code: number | null; out: string } {
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  const [program = "", ...args] = sandbox.wrap(["sh", "-c", script], profile, place.cwd);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return { code: status, out: stdout + stderr };
}
const canRun = (script: string, mode: PermissionMode, actions: readonly Action[]) =>
  sh(script, profileFor(mode, actions, place, options)).code === 0;

describe.skipIf(sandbox.kind === "none")(
  `the sandbox (${sandbox.kind === "none" ? sandbox.why : sandbox.kind})`,
  needs(SANDBOX),
  () => {
    const writesHere = "touch here";
    const writesFolder = `touch ${place.folders[0]}/there`;
    const writesElse = `touch ${root}/else/x`;

    it("allows writing exactly where the mode does", () => {
      expect(canRun(writesHere, "plan", reading)).toBe(false);
      expect(canRun(writesHere, "ask", reading)).toBe(false);
      for (const mode of ["ask", "auto-edit", "full-auto"] as const) {
        expect(canRun(writesHere, mode, changing), mode).toBe(true);
        expect(canRun(writesFolder, mode, changing), mode).toBe(true);
        expect(canRun(writesElse, mode, changing), mode).toBe(false);
      }
      expect(existsSync(join(root, "else/x"))).toBe(false);
      const named: Action[] = [...changing, { kind: "file.write", path: join(root, "else/x") }];
      expect(canRun(writesElse, "ask", named)).toBe(true);
      expect(existsSync(join(root, "else/x"))).toBe(true);
    });

    it("shows the rest of the disk read-only, without keys", () => {
      expect(canRun(`cat ${root}/else/readable`, "plan", reading)).toBe(true);
      for (const mode of ["plan", "full-auto"] as const) {
        expect(sh(`cat ${root}/home/.ssh/id_rsa`, profileFor(mode, changing, place, options)).out).not.toContain(
          "the key",
        );
      }
      const within = { cwd: join(root, "home"), folders: [] };
      const inHome = sh(`cat ${root}/home/.ssh/id_rsa`, profileFor("full-auto", changing, within, options));
      expect(inHome.out).not.toContain("the key");
    });

    it("hides other processes", () => {
      expect(sh("ls /proc | grep -c '^[0-9]'", profileFor("plan", reading, place, options)).out.trim()).toMatch(
        /^[1-9]$/,
      );
    });

    it("allows the network only in modes that have it", async () => {
      const server = createServer((_request, response) => response.end("received"));
      await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
      const { port } = server.address() as AddressInfo;
      const code = `fetch("http://127.0.0.1:${port}").then(() => process.exit(0), () => process.exit(7))`;
      const ask = (profile: SandboxProfile) => {
        if (sandbox.kind === "none") throw new Error(sandbox.why);
        const [program = "", ...args] = sandbox.wrap([process.execPath, "-e", code], profile, place.cwd);
        return new Promise<number | null>((ended) => {
          import("node:child_process").then(({ spawn }) => spawn(program, args).on("exit", ended));
        });
      };
      expect(await ask(profileFor("full-auto", changing, place, options))).toBe(0);
      expect(await ask(profileFor("auto-edit", changing, place, options))).toBe(7);
      expect(await ask(profileFor("plan", reading, place, options))).toBe(7);
      server.close();
    });

    it("lets a linked worktree commit", () => {
      const git = (cwd: string, ...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd });
      const main = join(root, "repo");
      mkdirSync(main);
      git(main, "init", "-q");
      git(main, "commit", "-q", "--allow-empty", "-m", "first");
      git(main, "worktree", "add", "-q", join(root, "tree"));
      const tree = { cwd: join(root, "tree"), folders: [] };
      expect(gitFolders(tree.cwd)).toEqual([join(main, ".git/worktrees/tree"), join(main, ".git")]);
      const profile = profileFor("auto-edit", changing, tree, options);
      const commit = `cd ${tree.cwd} && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second`;
      expect(sh(commit, profile)).toEqual({ code: 0, out: "" });
    });
  },
);

describe("finding a sandbox", () => {
  it("reports why there is no sandbox", async () => {
    expect(await findSandbox("off")).toEqual({ kind: "none", why: "The sandbox is turned off." });
    expect(await findSandbox("auto", "win32")).toEqual({ kind: "none", why: "There is no sandbox for win32." });
    expect(await findSandbox("auto", "linux", mkdtempSync(join(tmpdir(), "empty-")))).toEqual({
      kind: "none",
      why: "There is no sandbox: bwrap is not installed.",
    });
  });

  it("writes rules for macOS in the order in which the last decides", () => {
    const rules = seatbeltRules({ writable: ["/w"], network: false, hidden: ["/h", "/w/h"] }, "/w").split("\n");
    expect(rules.indexOf('(allow file-write* (subpath "/w"))')).toBeGreaterThan(rules.indexOf("(deny file-write*)"));
    expect(rules.lastIndexOf('(deny file-read* file-write* (subpath "/w/h"))')).toBeGreaterThan(
      rules.indexOf('(allow file-write* (subpath "/w"))'),
    );
    expect(rules.at(-1)).toBe("(deny network*)");
  });
});
