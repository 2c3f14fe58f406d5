import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TestLanes } from "../testing/test-lanes.ts";
import { parseLsof, processesInside } from "./processes-inside.ts";

vi.setConfig({ testTimeout: 60_000 });
const made: { dispose(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of made.splice(0).reverse()) await one.dispose();
});

async function laneOf(options?: ConstructorParameters<typeof TestLanes>[0]) {
  const test = new TestLanes(options);
  made.push(test);
  const { lane } = await test.lanes.create({ cwd: test.cwd, name: "one" });
  return { ...test, test, lanes: test.lanes, repo: test.repo, cwd: test.cwd, lane };
}

function startProcess(cwd: string, env: Record<string, string> = {}): number {
  const child = spawn("sleep", ["600"], { cwd, env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
  made.push({ dispose: () => void child.kill("SIGKILL") });
  return child.pid ?? 0;
}

const branches = (repo: { git(...args: string[]): string }) =>
  repo.git("branch", "--format=%(refname:short)").split("\n");

describe("a lane without work in it", () => {
  it("is removed with its folder and branch, and can be restored", async () => {
    const { lanes, repo, cwd, lane } = await laneOf();
    const removed = await lanes.remove(lane.id, {});
    expect(removed.undo).toMatch(new RegExp(`^refs/gantry/undo/${lane.id}/\\d{8}T\\d{6}Z$`));
    expect(existsSync(lane.path)).toBe(false);
    expect(branches(repo)).toEqual(["main"]);
    expect(repo.git("worktree", "list").split("\n").length).toBe(1);
    expect((await lanes.list({ cwd })).lanes.length).toBe(1);
    await expect(lanes.get(lane.id)).rejects.toMatchObject({ code: "no_such_lane" });
    await expect(lanes.create({ id: lane.id, cwd, name: "one" })).rejects.toMatchObject({ code: "conflict" });
    expect(await lanes.undos(cwd)).toEqual([
      expect.objectContaining({ lane: lane.id, name: "one", ref: removed.undo, path: lane.path }),
    ]);
    const back = await lanes.undo(lane.id);
    expect(back).toMatchObject({
      id: lane.id,
      name: "one",
      path: lane.path,
      branch: lane.branch,
      head: lane.head,
      ports: lane.ports,
      dirty: false,
    });
    expect(await lanes.undos(cwd)).toEqual([]);
    expect(repo.git("for-each-ref", "refs/gantry")).toBe("");
  });

  it("is removed without force if its commits are in the base or on a remote", async () => {
    const { lanes, repo, cwd, lane } = await laneOf();
    const commit = repo.commit({ a: "1" }, lane.path);
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({ code: "lane_unpushed" });
    repo.git("update-ref", "refs/remotes/origin/x", commit);
    await lanes.remove(lane.id, {});
    await lanes.undo(lane.id);
    repo.git("update-ref", "-d", "refs/remotes/origin/x");
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({ code: "lane_unpushed" });
    repo.git("merge", "-q", "--ff-only", lane.branch ?? "");
    expect((await lanes.remove(lane.id, {})).removed).toBe(true);
    expect((await lanes.list({ cwd })).lanes.length).toBe(1);
  });
});

describe("a lane with work in it", () => {
  it("restores staged, changed, deleted and untracked files, commits and the branch", async () => {
    const { lanes, repo, lane } = await laneOf();
    repo.commit({ ".gitignore": "ignored\n", gone: "1", staged: "1", stays: "1" }, lane.path);
    repo.write({ staged: "2" }, lane.path);
    repo.gitIn(lane.path, "add", "staged");
    repo.write({ staged: "3", "un\ntracked 漢/x": "new\n", ignored: "1" }, lane.path);
    rmSync(join(lane.path, "gone"));
    const head = repo.gitIn(lane.path, "rev-parse", "HEAD");
    const status = repo.gitIn(lane.path, "status", "--porcelain");
    const refused = lanes.remove(lane.id, {});
    await expect(refused).rejects.toMatchObject({
      code: "lane_dirty",
      message: expect.stringMatching(/2 changed and 1 untracked files.*1 commit that is on no remote/),
      details: {
        reasons: [
          expect.objectContaining({
            details: { changed: 2, untracked: 1, files: expect.arrayContaining(["gone", "staged"]) },
          }),
          expect.anything(),
        ],
      },
    });
    expect(repo.gitIn(lane.path, "status", "--porcelain")).toBe(status);
    const { undo, notices } = await lanes.remove(lane.id, { force: true });
    expect(notices.join()).toContain(`gantry lanes undo ${lane.id}`);
    expect(repo.git("show", `${undo}:un\ntracked 漢/x`)).toBe("new");
    expect(branches(repo)).toEqual(["main"]);
    // The garbage collection deletes unreachable objects; the undo ref must hold all of them.
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "-q", "--prune=now");
    const back = await lanes.undo(lane.id);
    expect(back).toMatchObject({ head, branch: lane.branch, dirty: true, ahead: 1, state: "ready" });
    expect(repo.gitIn(lane.path, "status", "--porcelain")).toBe(status);
    expect(readFileSync(join(lane.path, "staged"), "utf8")).toBe("3");
    expect(repo.gitIn(lane.path, "show", ":staged")).toBe("2");
    expect(existsSync(join(lane.path, "ignored"))).toBe(false);
  });

  it("restores a merge in progress on a detached HEAD with an unpushed commit", async () => {
    const { lanes, repo, lane } = await laneOf();
    repo.commit({ "README.md": "main\n" });
    repo.gitIn(lane.path, "checkout", "-q", "--detach");
    const loose = repo.commit({ "README.md": "lane\n" }, lane.path);
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({ code: "lane_unpushed" });
    expect(() => repo.gitIn(lane.path, "merge", "main")).toThrow();
    await lanes.remove(lane.id, { force: true });
    const back = await lanes.undo(lane.id);
    expect(back).toMatchObject({ head: loose });
    expect(back.branch).toBeUndefined();
    expect(branches(repo)).toContain(lane.branch);
    expect(readFileSync(join(lane.path, "README.md"), "utf8")).toContain("<<<<<<<");
  });

  it("keeps a branch that existed before, so its commits do not block the removal", async () => {
    const { lanes, repo, cwd } = await laneOf();
    repo.git("branch", "topic");
    const { lane } = await lanes.create({ cwd, branch: "topic" });
    const commit = repo.commit({ a: "1" }, lane.path);
    await lanes.remove(lane.id, {});
    expect(repo.git("rev-parse", "topic")).toBe(commit);
    expect(await lanes.undo(lane.id)).toMatchObject({ branch: "topic", head: commit });
  });

  it("restores the lane with another branch name if the old one is taken", async () => {
    const { lanes, repo, lane } = await laneOf();
    const commit = repo.commit({ a: "1" }, lane.path);
    await lanes.remove(lane.id, { force: true });
    repo.git("branch", lane.branch ?? "", "main");
    const back = await lanes.undo(lane.id);
    expect(back).toMatchObject({ head: commit, branch: `${lane.branch}-2` });
    expect(repo.git("rev-parse", lane.branch ?? "")).toBe(repo.git("rev-parse", "main"));
  });

  it("does not remove a nested repository, even with force", async () => {
    const { lanes, repo, lane } = await laneOf();
    const inner = join(lane.path, "inner");
    mkdirSync(inner);
    repo.gitIn(inner, "init", "-q");
    repo.commit({ a: "1" }, inner);
    const removal = lanes.remove(lane.id, { force: true });
    await expect(removal).rejects.toMatchObject({
      code: "lane_dirty",
      remedy: expect.stringContaining("Force does not"),
    });
    expect(existsSync(join(inner, "a"))).toBe(true);
    expect(await lanes.get(lane.id)).toMatchObject({ state: "ready" });
  });

  it("removes a locked lane only with force", async () => {
    const { lanes, repo, lane } = await laneOf();
    repo.git("worktree", "lock", "--reason", "on a stick", lane.path);
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({
      code: "lane_locked",
      message: expect.stringContaining("on a stick"),
    });
    expect(await lanes.get(lane.id)).toMatchObject({ locked: "on a stick" });
    expect((await lanes.remove(lane.id, { force: true })).removed).toBe(true);
    expect(existsSync(lane.path)).toBe(false);
  });
});

describe("activity in a lane", () => {
  it("blocks the removal for a process of the user; force leaves it running and reports it", async () => {
    const { lanes, lane } = await laneOf();
    const pid = startProcess(lane.path);
    await expect.poll(() => processesInside(lane.path)).toEqual([{ pid, command: "sleep 600" }]);
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({
      code: "lane_in_use",
      message: expect.stringContaining(`sleep 600 (${pid})`),
    });
    const { notices } = await lanes.remove(lane.id, { force: true });
    expect(notices.join()).toContain(`sleep 600 (${pid})`);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it("force ends the processes that Gantry started in the lane and no others", async () => {
    const { lanes, cwd, lane } = await laneOf();
    const inside = startProcess(lane.path, { GANTRY_PROCESS: "prc_test_1" });
    const outside = startProcess(cwd, { GANTRY_PROCESS: "prc_test_1" });
    await expect.poll(async () => (await processesInside(lane.path)).length).toBe(1);
    await lanes.remove(lane.id, { force: true });
    await expect.poll(() => stillRuns(inside)).toBe(false);
    expect(stillRuns(outside)).toBe(true);
  });

  it("releases an idle session and blocks the removal for a session with a turn", async () => {
    const { test, lanes, lane } = await laneOf();
    const place = { id: "ses_1", cwd: lane.path, lane: lane.id, updatedAt: "2026-01-01T00:00:00.000Z" };
    test.places = [{ ...place, busy: true }];
    await expect(lanes.remove(lane.id, {})).rejects.toMatchObject({
      code: "lane_in_use",
      message: expect.stringContaining("ses_1"),
    });
    expect(test.released).toEqual([]);
    test.places = [{ ...place, busy: false }];
    await lanes.remove(lane.id, {});
    expect(test.released).toContain("ses_1");
  });

  it("reads processes from lsof where there is no /proc", () => {
    const out = "p1\ncsh\nfcwd\nn/lanes/a/below\np2\ncnode\nfcwd\nn/lanes/ab\np3\ncvim\nfcwd\nn/lanes/a\n";
    expect(parseLsof(out, "/lanes/a")).toEqual([
      { pid: 1, command: "sh" },
      { pid: 3, command: "vim" },
    ]);
  });
});

describe("a missing folder", () => {
  it("is reported, recreated from its branch, or removed", async () => {
    const { lanes, repo, cwd, lane } = await laneOf();
    const commit = repo.commit({ a: "1" }, lane.path);
    rmSync(lane.path, { recursive: true });
    expect(await lanes.get(lane.id)).toMatchObject({
      state: "failed",
      missing: [expect.stringContaining("is missing")],
    });
    const back = await lanes.undo(lane.id);
    expect(back).toMatchObject({ state: "ready", head: commit, branch: lane.branch, ports: lane.ports, missing: [] });
    await expect(lanes.undo(lane.id)).rejects.toMatchObject({ code: "conflict" });
    rmSync(lane.path, { recursive: true });
    const { undo } = await lanes.remove(lane.id, {});
    expect(repo.git("log", "--format=%H", undo ?? "").split("\n")).toContain(commit);
    expect(repo.git("worktree", "list").split("\n").length).toBe(1);
    expect((await lanes.list({ cwd })).lanes.length).toBe(1);
  });

  it("keeps an unrelated worktree in git's list", async () => {
    const { lanes, repo, lane } = await laneOf();
    const theirs = join(repo.top, "theirs");
    repo.git("worktree", "add", "-q", "-b", "theirs", theirs);
    rmSync(theirs, { recursive: true });
    await lanes.remove(lane.id, {});
    expect(repo.git("worktree", "list")).toContain("theirs");
  });

  it("leaves a folder that replaced the lane unchanged", async () => {
    const { lanes, lane } = await laneOf();
    rmSync(lane.path, { recursive: true });
    mkdirSync(lane.path);
    writeFileSync(join(lane.path, "mine"), "1");
    await expect(lanes.remove(lane.id, { force: true })).rejects.toMatchObject({
      code: expect.stringMatching(/conflict|git_failed/),
    });
    expect(readFileSync(join(lane.path, "mine"), "utf8")).toBe("1");
    expect((await lanes.get(lane.id)).missing.length).toBeGreaterThan(0);
  });
});

it("suggests lanes to remove and whether removal is safe", async () => {
  const { lanes, repo, cwd, lane, test } = await laneOf();
  expect(await lanes.suggestions(cwd)).toEqual([]);
  repo.commit({ a: "1" }, lane.path);
  repo.git("merge", "-q", "--ff-only", lane.branch ?? "");
  const { lane: archived } = await lanes.create({ cwd, name: "two" });
  repo.write({ work: "1" }, archived.path);
  await lanes.patch(archived.id, { archived: true });
  const suggested = (await lanes.suggestions(cwd)).map((one) => [
    one.lane.name,
    one.reasons.map(({ kind }) => kind),
    one.safe,
  ]);
  expect(suggested).toEqual([
    ["one", ["merged"], true],
    ["two", ["archived"], false],
  ]);
  test.places = [{ id: "ses_1", cwd: lane.path, lane: lane.id, busy: true, updatedAt: "2026-01-01T00:00:00.000Z" }];
  expect((await lanes.suggestions(cwd)).map((one) => one.lane.name)).toEqual(["two"]);
});

function stillRuns(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
