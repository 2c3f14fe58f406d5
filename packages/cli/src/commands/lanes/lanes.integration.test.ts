import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Lane, LaneList } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { TestRepository } from "../../../../runtime/src/lanes/testing/test-repository.ts";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-lanes-")));
const repo = new TestRepository();
const cwd = repo.path;
const gantry = commandLine(home);
const SLOW = 240_000;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  repo.remove();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}, SLOW);

const lanes = async () => (JSON.parse((await gantry(["lanes", "--json"], { cwd })).stdout) as LaneList).lanes;

test(
  "creates, uses, shows, removes and restores a lane",
  async () => {
    repo.commit({ ".gantry/lane.yml": "setup: echo set up\n" });
    expect(await gantry(["trust", "--yes"], { cwd })).toMatchObject({ status: 0 });
    const made = await gantry(["run", "-a", "scripted", "--lane", "topic", "[[text]] hello"], { cwd });
    expect(made).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/Created the lane topic from main: gantry\/topic/),
    });
    expect(made.stderr).toContain("set up");
    const again = await gantry(["run", "-a", "scripted", "--lane", "topic", "[[text]] hello"], { cwd });
    expect([again.status, again.stderr]).toEqual([0, ""]);
    const lane = (await lanes()).find(({ name }) => name === "topic") as Lane;
    expect(lane.sessions.length).toBe(2);
    repo.commit({ new: "1\n" }, lane.path);
    repo.write({ untracked: "1\n" }, lane.path);

    const listed = await gantry(["lanes"], { cwd });
    expect(listed.stdout).toMatch(/topic\s+gantry\/topic\s+1 changed\s+\+1\s+2\s+\d+–\d+/);
    const diff = await gantry(["lanes", "diff", "topic"], { cwd });
    expect(diff.stdout).toContain("+++ b/untracked");
    expect((await gantry(["lanes", "diff", "topic", "--stat"], { cwd })).stdout).toContain("2 files, +2 −0");

    const refused = await gantry(["lanes", "rm", "topic"], { cwd });
    expect([refused.status, existsSync(lane.path)]).toEqual([2, true]);
    expect(refused.stderr).toMatch(/1 untracked file.*on no remote/s);
    const removed = await gantry(["lanes", "rm", "--force", "topic"], { cwd });
    expect([removed.status, existsSync(lane.path)]).toEqual([0, false]);
    expect((await gantry(["lanes", "undo"], { cwd })).stdout).toContain(`gantry lanes undo ${lane.id}`);
    expect((await gantry(["lanes", "undo", "topic"], { cwd })).status).toBe(0);
    expect(existsSync(join(lane.path, "untracked"))).toBe(true);
  },
  SLOW,
);

test(
  "names, adopts, sets up and cleans up lanes",
  async () => {
    expect((await gantry(["lanes", "new", "--prompt", "Fix the login page please"], { cwd })).stdout).toContain(
      "fix-the-login-page",
    );
    expect((await gantry(["lanes", "rename", "fix-the-login-page", "login"], { cwd })).stdout).toContain(
      "login on gantry/login",
    );
    const completed = await gantry(["__complete", "--", "lanes", "show", "log"], { cwd });
    expect(completed.stdout).toContain("login");
    expect(await gantry(["lanes", "setup", "login", "--again"], { cwd })).toMatchObject({
      status: 0,
      stdout: "The set-up is done.\n",
    });
    const mine = join(repo.top, "mine");
    repo.git("worktree", "add", "-q", "-b", "mine", mine);
    expect((await gantry(["lanes"], { cwd })).stdout).toContain(`gantry lanes adopt ${mine}`);
    expect((await gantry(["lanes", "adopt", mine], { cwd })).stdout).toContain("mine (attached)");
    expect((await gantry(["lanes", "archive", "login"], { cwd })).status).toBe(0);
    const clean = await gantry(["lanes", "clean", "--yes"], { cwd });
    expect(clean.stdout).toMatch(/login.*It is archived\..*removed login/s);
    expect((await lanes()).map(({ name }) => name)).not.toContain("login");
    expect((await gantry(["lanes", "show", "nothing"], { cwd })).status).toBe(2);
    expect((await gantry(["lanes", "new", "x"], { cwd: home })).stderr).toContain("not in a git repository");
  },
  SLOW,
);
