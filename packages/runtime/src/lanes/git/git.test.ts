import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TestRepository, testGitEnvironment } from "../testing/test-repository.ts";
import {
  aheadBehind,
  branchRefOf,
  commitOf,
  countUnpushed,
  headOf,
  isAncestor,
  isBranchName,
  mergeBase,
  requireCommit,
  tipsOf,
} from "./commits.ts";
import { treeDiff } from "./diff.ts";
import { Git } from "./git.ts";
import { deleteRef, listRefs, setRef } from "./refs.ts";
import { findRepository, requireRepository } from "./repository.ts";
import { scratchObjects, snapshot, worktreeTree } from "./snapshot.ts";
import { statusOf } from "./status.ts";
import { addWorktree, forgetWorktree, isLinkedTo, listWorktrees } from "./worktrees.ts";

vi.setConfig({ testTimeout: 60_000 });
const git = new Git(testGitEnvironment);
const made: { remove(): void }[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

function repository(options?: { name?: string; empty?: boolean }): TestRepository {
  const one = new TestRepository(options);
  made.push(one);
  return one;
}

const NASTY = "sp ace\nné 漢";

describe("the repository of a folder", () => {
  it.each(["project", NASTY])("is found from a subfolder and from a worktree: %j", async (name) => {
    const repo = repository({ name });
    mkdirSync(join(repo.path, "a/b"), { recursive: true });
    const lane = join(repo.top, "lane", name);
    repo.git("worktree", "add", "-q", "-b", "side", lane);
    const common = join(repo.path, ".git");
    expect(await findRepository(git, join(repo.path, "a/b"))).toEqual({
      root: repo.path,
      primary: repo.path,
      gitDir: common,
      commonDir: common,
      bare: false,
    });
    expect(await findRepository(git, lane)).toMatchObject({ root: lane, primary: repo.path, commonDir: common });
    expect(await findRepository(git, common)).toMatchObject({ root: repo.path, primary: repo.path });
  });

  it("may be bare, seen from itself and from a worktree", async () => {
    const repo = repository();
    const bare = join(repo.top, "bare.git");
    repo.git("clone", "-q", "--bare", repo.path, bare);
    const lane = join(repo.top, "lane");
    repo.gitIn(bare, "worktree", "add", "-q", lane);
    expect(await findRepository(git, bare)).toMatchObject({ primary: bare, bare: true });
    expect(await findRepository(git, lane)).toMatchObject({ root: lane, primary: bare, bare: true });
  });

  it("may be absent", async () => {
    const plain = mkdtempSync(join(tmpdir(), "gantry-plain-"));
    made.push({ remove: () => rmSync(plain, { recursive: true }) });
    expect(await findRepository(git, plain)).toBeUndefined();
    await expect(requireRepository(git, plain)).rejects.toMatchObject({ code: "not_a_repository" });
  });

  it("is not the one that the daemon's environment names", async () => {
    const [here, there] = [repository(), repository()];
    const led = new Git({ ...testGitEnvironment, GIT_DIR: join(there.path, ".git"), GIT_INDEX_FILE: "/tmp/nowhere" });
    expect(await findRepository(led, here.path)).toMatchObject({ primary: here.path });
  });
});

it("reads HEAD as a branch, a detached commit, or a branch without a commit", async () => {
  const repo = repository();
  const commit = repo.git("rev-parse", "HEAD");
  expect(await headOf(git, repo.path)).toEqual({ branch: "main", commit });
  repo.git("checkout", "-q", "--detach");
  expect(await headOf(git, repo.path)).toEqual({ commit });
  expect(await headOf(git, repository({ empty: true }).path)).toEqual({ branch: "main" });
});

it("resolves names to commits, and only branch names to refs", async () => {
  const repo = repository();
  const first = repo.git("rev-parse", "HEAD");
  repo.git("tag", "v1");
  const second = repo.commit({ a: "1" });
  expect(await commitOf(git, repo.path, "v1")).toBe(first);
  expect(await requireCommit(git, repo.path, "main")).toBe(second);
  await expect(requireCommit(git, repo.path, "--all")).rejects.toMatchObject({ code: "invalid" });
  expect(await branchRefOf(git, repo.path, "main")).toBe("refs/heads/main");
  expect(await branchRefOf(git, repo.path, "v1")).toBeUndefined();
  expect(await branchRefOf(git, repo.path, first)).toBeUndefined();
  expect([...(await tipsOf(git, repo.path))]).toEqual([["refs/heads/main", second]]);
  expect(
    await Promise.all(["gantry/ok", "a..b", "x.lock", "-b"].map((name) => isBranchName(git, repo.path, name))),
  ).toEqual([true, false, false, false]);
});

it("counts commits against a base and commits that exist nowhere else", async () => {
  const repo = repository();
  const base = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "side");
  repo.commit({ a: "1" });
  const pushed = repo.git("rev-parse", "HEAD");
  repo.git("update-ref", "refs/remotes/origin/side", pushed);
  const side = repo.commit({ b: "1" });
  repo.git("checkout", "-q", "main");
  const main = repo.commit({ c: "1" });
  expect(await aheadBehind(git, repo.path, side, main)).toEqual({ ahead: 2, behind: 1 });
  expect(await aheadBehind(git, repo.path, side, side)).toEqual({ ahead: 0, behind: 0 });
  expect(await mergeBase(git, repo.path, side, main)).toBe(base);
  expect([await isAncestor(git, repo.path, base, side), await isAncestor(git, repo.path, main, side)]).toEqual([
    true,
    false,
  ]);
  expect(await countUnpushed(git, repo.path, side, [main])).toBe(1);
  expect(await countUnpushed(git, repo.path, side, [side])).toBe(0);
});

describe("worktrees", () => {
  it("are added, listed and removed one by one", async () => {
    const repo = repository();
    const commit = repo.git("rev-parse", "HEAD");
    const [one, two] = [join(repo.top, NASTY), join(repo.top, "two")];
    expect(await addWorktree(git, repo.path, { path: one, commit, branch: "side", create: true })).toEqual({
      withheld: [],
    });
    await addWorktree(git, repo.path, { path: two, commit });
    repo.git("worktree", "lock", "--reason", "a\nreason", two);
    expect(await listWorktrees(git, repo.path)).toEqual([
      { path: repo.path, head: commit, branch: "main", bare: false, gone: false },
      { path: one, head: commit, branch: "side", bare: false, gone: false },
      { path: two, head: commit, bare: false, locked: expect.stringContaining("reason"), gone: false },
    ]);
    expect([isLinkedTo(one, join(repo.path, ".git")), isLinkedTo(repo.path, join(repo.path, ".git"))]).toEqual([
      true,
      false,
    ]);
    rmSync(one, { recursive: true });
    rmSync(two, { recursive: true });
    await forgetWorktree(git, repo.path, two);
    expect((await listWorktrees(git, repo.path)).map(({ path, gone }) => [path, gone])).toEqual([
      [repo.path, false],
      [one, true],
    ]);
    await forgetWorktree(git, repo.path, two);
  });

  it("are created without the repository's hook, which is reported", async () => {
    const repo = repository();
    repo.hook("post-checkout", "echo 'no luck today' >&2; exit 3");
    const path = join(repo.top, "lane");
    const { withheld } = await addWorktree(git, repo.path, { path, commit: "HEAD", branch: "side", create: true });
    expect(withheld).toMatchObject([{ kind: "hook", name: "post-checkout" }]);
    expect(readFileSync(join(path, "README.md"), "utf8")).toBe("hello\n");
  });

  it("leave nothing behind when git cannot create them, with git's error", async () => {
    const repo = repository();
    const path = join(repo.top, "lane");
    const adding = addWorktree(git, repo.path, { path, commit: "HEAD", branch: "main", create: true });
    await expect(adding).rejects.toMatchObject({
      code: "git_failed",
      message: expect.stringContaining("a branch named 'main' already exists"),
    });
    expect(existsSync(path)).toBe(false);
  });

  it("keep LFS pointer files where git-lfs is configured and not installed", async () => {
    const repo = repository();
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 3\n";
    repo.commit({ ".gitattributes": "*.bin filter=lfs\n", "x.bin": pointer });
    for (const [key, value] of [
      ["smudge", "git-lfs smudge"],
      ["clean", "git-lfs clean"],
      ["process", "git-lfs filter-process"],
      ["required", "true"],
    ]) {
      repo.git("config", `filter.lfs.${key}`, value ?? "");
    }
    const path = join(repo.top, "lane");
    await addWorktree(git, repo.path, { path, commit: "HEAD", branch: "side", create: true });
    expect(readFileSync(join(path, "x.bin"), "utf8")).toBe(pointer);
    expect(await statusOf(git, path)).toMatchObject({ changed: 0, untracked: 0 });
  });

  it("inherit a sparse checkout", async () => {
    const repo = repository();
    repo.commit({ "in/a": "1", "out/b": "1" });
    repo.git("sparse-checkout", "set", "in");
    const path = join(repo.top, "lane");
    await addWorktree(git, repo.path, { path, commit: "HEAD", branch: "side", create: true });
    expect(readdirSync(path).sort()).toEqual([".git", "README.md", "in"]);
    repo.write({ "new file": "1" }, path);
    const tree = await worktreeTree(git, path);
    expect(repo.git("ls-tree", "-r", "--name-only", tree).split("\n")).toEqual([
      "README.md",
      "in/a",
      "new file",
      "out/b",
    ]);
  });
});

describe("the state of a work tree", () => {
  it("counts changed, renamed, conflicting and untracked files", async () => {
    const repo = repository();
    repo.commit({ moved: "a long enough text to be found again\n", "sp ace\nx": "1", gone: "1" });
    expect(await statusOf(git, repo.path)).toMatchObject({ branch: "main", changed: 0, untracked: 0, conflicts: 0 });
    repo.git("mv", "moved", "elsewhere");
    rmSync(join(repo.path, "gone"));
    repo.write({ "sp ace\nx": "2", "new/one": "1", "new/two": "1", "ne\nw": "1" });
    expect(await statusOf(git, repo.path)).toMatchObject({ changed: 3, untracked: 2, conflicts: 0 });
  });

  it("takes no lock for a read", async () => {
    const repo = repository();
    writeFileSync(join(repo.path, ".git/index.lock"), "");
    expect(await statusOf(git, repo.path)).toMatchObject({ changed: 0 });
  });
});

it("reports a stale lock with its file and age, and retries a lock that is released", async () => {
  const repo = repository();
  const lock = join(repo.path, ".git/index.lock");
  writeFileSync(lock, "");
  const since = new Date("2026-01-02T03:04:05Z");
  utimesSync(lock, since, since);
  await expect(git.change(repo.path, ["reset", "--hard"])).rejects.toMatchObject({
    code: "git_locked",
    message: expect.stringContaining("2026-01-02T03:04:05"),
    remedy: expect.stringContaining(lock),
  });
  const later = git.change(repo.path, ["reset", "--hard"]);
  setTimeout(() => rmSync(lock), 100);
  expect((await later).code).toBe(0);
});

describe("a snapshot", () => {
  it("holds staged, changed, deleted and untracked files, and touches neither index nor branch", async () => {
    const repo = repository();
    repo.commit({ ".gitignore": "ignored\n", gone: "1", staged: "1" });
    repo.write({ staged: "2", ignored: "1" });
    repo.git("add", "staged");
    repo.write({ staged: "3", "ne\nw 漢": "1" });
    rmSync(join(repo.path, "gone"));
    const index = readFileSync(join(repo.path, ".git/index"));
    const head = repo.git("rev-parse", "HEAD");
    const { commit } = await snapshot(git, repo.path, "saved\n\nmore text");
    expect(readFileSync(join(repo.path, ".git/index"))).toEqual(index);
    expect(repo.git("rev-parse", "HEAD")).toBe(head);
    expect(repo.git("ls-tree", "-rz", "--name-only", commit).split("\0").filter(Boolean)).toEqual([
      ".gitignore",
      "README.md",
      "ne\nw 漢",
      "staged",
    ]);
    expect(repo.git("show", `${commit}:staged`)).toBe("3");
    expect(repo.git("show", `${commit}^2:staged`)).toBe("2");
    expect(repo.git("rev-parse", `${commit}^1`)).toBe(head);
    expect(repo.git("log", "-1", "--format=%s|%an", commit)).toBe("saved|Gantry");
  });

  it("sees a change of the same size in the moment in which the index was written", async () => {
    const repo = repository();
    const path = join(repo.path, "README.md");
    const at = new Date(Math.floor(Date.now() / 1000) * 1000);
    repo.write({ "README.md": "aaaaa\n" });
    utimesSync(path, at, at);
    repo.git("add", "README.md");
    utimesSync(join(repo.path, ".git/index"), at, at);
    repo.write({ "README.md": "bbbbb\n" });
    utimesSync(path, at, at);
    const { commit } = await snapshot(git, repo.path, "x");
    expect(repo.git("show", `${commit}:README.md`)).toBe("bbbbb");
  });

  it("works before the first commit and during a merge", async () => {
    const young = repository({ empty: true });
    young.write({ a: "1" });
    expect(young.git("show", `${(await snapshot(git, young.path, "x")).commit}:a`)).toBe("1");
    const repo = repository();
    repo.git("checkout", "-q", "-b", "side");
    repo.commit({ "README.md": "side\n" });
    repo.git("checkout", "-q", "main");
    repo.commit({ "README.md": "main\n" });
    expect(() => repo.git("merge", "side")).toThrow();
    expect(await statusOf(git, repo.path)).toMatchObject({ conflicts: 1 });
    expect(repo.git("show", `${(await snapshot(git, repo.path, "x")).commit}:README.md`)).toContain("<<<<<<<");
  });

  it("leaves no object in the repository when it is only read", async () => {
    const repo = repository({ name: 'quo"te:d' });
    repo.write({ new: "never seen before\n" });
    const objects = join(repo.top, "objects");
    mkdirSync(objects);
    const tree = await worktreeTree(git, repo.path, objects);
    expect(() => repo.git("cat-file", "-e", tree)).toThrow();
    const env = await scratchObjects(git, repo.path, objects);
    const { files } = await treeDiff(git, repo.path, { from: "HEAD", to: tree, most: 1000 }, { env });
    expect(files).toEqual([{ path: "new", kind: "add", additions: 1, deletions: 0 }]);
  });
});

describe("a difference", () => {
  it("lists files with their counts, renames, binaries and unusual paths", async () => {
    const repo = repository();
    const from = repo.commit({ "old 漢": "line\n".repeat(20), binary: "\0\x01", gone: "1\n" });
    repo.git("mv", "old 漢", "new\nname");
    rmSync(join(repo.path, "gone"));
    const to = repo.commit({ binary: "\0\x02", "README.md": "hello\nworld\n" });
    const diff = await treeDiff(git, repo.path, { from, to, most: 100_000 });
    expect(diff.files).toEqual([
      { path: "README.md", kind: "update", additions: 1, deletions: 0 },
      { path: "binary", kind: "update" },
      { path: "gone", kind: "delete", additions: 0, deletions: 1 },
      { path: "old 漢", kind: "move", to: "new\nname", additions: 0, deletions: 0 },
    ]);
    expect(diff.left).toEqual([]);
    expect(diff.patch).toContain("+world");
    const one = await treeDiff(git, repo.path, { from, to, only: "gone", most: 100_000 });
    expect(one.files.map(({ path }) => path)).toEqual(["gone"]);
  });

  it("is cut between files and names the omitted ones", async () => {
    const repo = repository();
    const from = repo.git("rev-parse", "HEAD");
    const to = repo.commit({ a: "a\n".repeat(10), b: "b\n".repeat(10_000), c: "c\n" });
    const diff = await treeDiff(git, repo.path, { from, to, most: 2000 });
    expect(diff.files.length).toBe(3);
    expect(diff.left).toEqual(["b", "c"]);
    expect(diff.patch.trimEnd().endsWith("+a")).toBe(true);
  });
});

it("sets refs once, lists and deletes them", async () => {
  const repo = repository();
  const head = repo.git("rev-parse", "HEAD");
  await setRef(git, repo.path, "refs/gantry/undo/lan_1/x", head, "");
  await expect(setRef(git, repo.path, "refs/gantry/undo/lan_1/x", head, "")).rejects.toMatchObject({
    code: "git_failed",
  });
  expect(await listRefs(git, repo.path, "refs/gantry/undo")).toEqual([
    { name: "refs/gantry/undo/lan_1/x", commit: head },
  ]);
  await deleteRef(git, repo.path, "refs/gantry/undo/lan_1/x", head);
  await deleteRef(git, repo.path, "refs/gantry/undo/lan_1/x");
  expect(await listRefs(git, repo.path, "refs/gantry/undo")).toEqual([]);
});

it("reports a missing git and a missing folder", async () => {
  await expect(new Git({ PATH: "/nonexistent" }).read("/", ["status"])).rejects.toMatchObject({ code: "unavailable" });
  await expect(git.read("/nonexistent/folder", ["status"])).rejects.toMatchObject({ code: "lane_gone" });
});
