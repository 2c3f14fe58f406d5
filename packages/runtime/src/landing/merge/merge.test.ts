import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Git } from "../../lanes/git/git.ts";
import { TestRepository, testGitEnvironment } from "../../lanes/testing/test-repository.ts";
import { advance, moveBack } from "./advance.ts";
import { commitAll, uncommit } from "./commit.ts";
import { type MergeRequest, prepare } from "./prepare.ts";
import { requireIdentity } from "./refusal.ts";

const git = new Git(testGitEnvironment, { covers: () => true });
let repository: TestRepository;
let base: string;
let lane: string;

beforeEach(() => {
  repository = new TestRepository({ name: "a project, ünïcode" });
  base = repository.commit({ "shared.txt": "one\ntwo\nthree\n", "other.txt": "other\n" });
  lane = join(repository.top, "lane");
  repository.git("worktree", "add", "-q", "-b", "work", lane, base);
});
afterEach(() => repository.remove());

const folder = () => join(repository.top, "landing");
const mergeRequest = (how: MergeRequest["how"], more: Partial<MergeRequest> = {}): MergeRequest => ({
  how,
  repository: repository.path,
  folder: folder(),
  names: { source: "work", target: "main" },
  target: repository.git("rev-parse", "main"),
  source: repository.git("rev-parse", "work"),
  message: "Land work",
  ...more,
});

/** The state of the user's checkout. */
function checkout(): unknown {
  const { path } = repository;
  return [
    readFileSync(join(path, ".git", "HEAD"), "utf8"),
    readFileSync(join(path, ".git", "index")).toString("base64"),
    repository.git("rev-parse", "main"),
    repository.git("status", "--porcelain"),
    repository.git("worktree", "list"),
  ];
}

it.each(["merge", "squash", "rebase"] as const)("%s creates its commit outside the user's checkout", async (how) => {
  repository.commit({ "new.txt": "new\n" }, lane);
  repository.commit({ "more.txt": "more\n" }, lane);
  const moved = repository.commit({ "main.txt": "main\n" });
  const before = checkout();
  const to = await prepare(git, mergeRequest(how));
  expect(checkout()).toEqual(before);
  const parents = repository.git("rev-list", "--parents", "-n1", to).split(" ").slice(1);
  const work = repository.git("rev-parse", "work");
  if (how === "merge") expect(parents).toEqual([moved, work]);
  if (how === "squash") expect(parents).toEqual([moved]);
  if (how === "rebase") expect(repository.git("rev-list", "--count", `${moved}..${to}`)).toBe("2");
  expect(repository.git("ls-tree", "-r", "--name-only", to).split("\n")).toEqual([
    "README.md",
    "main.txt",
    "more.txt",
    "new.txt",
    "other.txt",
    "shared.txt",
  ]);
  const move = { repository: repository.path, branch: "main", from: moved, to, why: "landing" };
  expect(await advance(git, move)).toBe("done");
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(repository.path, "more.txt"), "utf8")).toBe("more\n");
  expect(await advance(git, move)).toBe("done");
  await moveBack(git, move);
  expect(repository.git("rev-parse", "main")).toBe(moved);
  expect(existsSync(join(repository.path, "more.txt"))).toBe(false);
});

it.each(["merge", "squash", "rebase"] as const)("%s names the files in conflict and changes nothing", async (how) => {
  repository.commit({ "shared.txt": "one\nlane\nthree\n" }, lane);
  repository.commit({ "shared.txt": "one\nmain\nthree\n" });
  const before = checkout();
  await expect(prepare(git, mergeRequest(how))).rejects.toMatchObject({
    code: "merge_conflict",
    details: { files: ["shared.txt"] },
  });
  expect(checkout()).toEqual(before);
  expect(existsSync(join(folder(), "tree"))).toBe(false);
});

it.each(["merge", "squash", "rebase"] as const)(
  "%s merges files that both sides changed, according to the attributes",
  async (how) => {
    repository.commit({ ".gitattributes": "*.log merge=union\n", "both.log": "begin\n" });
    repository.gitIn(lane, "merge", "-q", "--ff-only", "main");
    repository.commit({ "shared.txt": "lane\ntwo\nthree\n", "both.log": "begin\nlane\n" }, lane);
    repository.commit({ "shared.txt": "one\ntwo\nmain\n", "both.log": "begin\nmain\n" });
    const to = await prepare(git, mergeRequest(how));
    expect(repository.git("show", `${to}:shared.txt`)).toBe("lane\ntwo\nmain");
    expect(repository.git("show", `${to}:both.log`).split("\n").sort()).toEqual(["begin", "lane", "main"]);
    expect(repository.git("show", `${to}:other.txt`)).toBe("other");
  },
);

it.each(["merge", "squash", "rebase"] as const)("%s returns the target when there is nothing to land", async (how) => {
  expect(await prepare(git, mergeRequest(how))).toBe(base);
});

it.each([
  ["merge", "pre-merge-commit"],
  ["merge", "commit-msg"],
  ["squash", "pre-commit"],
  ["squash", "commit-msg"],
  ["rebase", "pre-rebase"],
] as const)("%s fails with the output of a failing %s hook", async (how, hook) => {
  repository.commit({ "new.txt": "new\n" }, lane);
  repository.commit({ "main.txt": "main\n" });
  repository.hook(hook, "echo no way; exit 3");
  const before = checkout();
  const failed = prepare(git, mergeRequest(how));
  await expect(failed).rejects.toMatchObject({ code: "hook_failed", details: { hooks: [hook] } });
  await expect(failed).rejects.toThrow("no way");
  expect(checkout()).toEqual(before);
});

it("runs gate hooks on the staged content, and hooks after a merge only in the user's tree", async () => {
  repository.commit({ "new.txt": "new\n" }, lane);
  const seen = join(repository.top, "seen");
  repository.hook("pre-commit", `git diff --cached --name-only >> '${seen}'; ls new.txt >> '${seen}'`);
  repository.hook("post-merge", `pwd >> '${seen}'`);
  repository.hook("post-checkout", `echo checkout >> '${seen}'`);
  const from = repository.git("rev-parse", "main");
  const to = await prepare(git, mergeRequest("squash"));
  await advance(git, { repository: repository.path, branch: "main", from, to, why: "landing" });
  expect(readFileSync(seen, "utf8")).toBe(`new.txt\nnew.txt\n${repository.path}\n`);
});

it("moves a branch that is not checked out, and reports that it has moved", async () => {
  repository.commit({ "new.txt": "new\n" }, lane);
  repository.git("branch", "release", base);
  const to = await prepare(git, mergeRequest("merge", { target: base }));
  const move = { repository: repository.path, branch: "release", from: base, to, why: "landing" };
  repository.git("update-ref", "refs/heads/release", repository.git("rev-parse", "work"));
  expect(await advance(git, move)).toBe("moved");
  repository.git("update-ref", "refs/heads/release", base);
  expect(await advance(git, move)).toBe("done");
  expect(repository.git("rev-parse", "release")).toBe(to);
});

it("refuses a target with changes, and an untracked file that would be overwritten", async () => {
  repository.commit({ "new.txt": "new\n" }, lane);
  const to = await prepare(git, mergeRequest("merge"));
  const move = { repository: repository.path, branch: "main", from: base, to, why: "landing" };
  repository.write({ "other.txt": "mine\n" });
  await expect(advance(git, move)).rejects.toMatchObject({ code: "target_dirty", details: { files: ["other.txt"] } });
  repository.git("checkout", "-q", "other.txt");
  repository.write({ "new.txt": "mine\n" });
  await expect(advance(git, move)).rejects.toMatchObject({ code: "git_failed" });
  expect(readFileSync(join(repository.path, "new.txt"), "utf8")).toBe("mine\n");
  expect(repository.git("rev-parse", "main")).toBe(base);
});

it("completes a move that was interrupted between the files and the branch", async () => {
  repository.commit({ "new.txt": "new\n", "shared.txt": "lane\n" }, lane);
  const to = await prepare(git, mergeRequest("merge"));
  const move = { repository: repository.path, branch: "main", from: base, to, why: "landing" };
  // Some files written, the index not.
  repository.write({ "shared.txt": "lane\n", "new.txt": "new\n" });
  expect(await advance(git, move)).toBe("done");
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(repository.git("rev-parse", "main")).toBe(to);
});

it("undoes a commit of a lane and restores its index", async () => {
  const index = join(folder(), "index");
  repository.write({ "staged.txt": "staged\n" }, lane);
  repository.gitIn(lane, "add", "staged.txt");
  repository.write({ "loose.txt": "loose\n", "other.txt": "changed\n" }, lane);
  const before = repository.gitIn(lane, "status", "--porcelain");
  const commit = await commitAll(git, { tree: lane, message: "All of it", index });
  expect(repository.gitIn(lane, "status", "--porcelain")).toBe("");
  expect(repository.gitIn(lane, "log", "-1", "--format=%an %s")).toBe("Ada All of it");
  await uncommit(git, { tree: lane, before: base, commit: commit ?? "", index });
  expect(repository.gitIn(lane, "status", "--porcelain")).toBe(before);
  repository.hook("pre-commit", "exit 1");
  await expect(commitAll(git, { tree: lane, message: "Again", index })).rejects.toMatchObject({ code: "hook_failed" });
  expect(repository.gitIn(lane, "status", "--porcelain")).toBe(before);
});

it("explains how to set an identity when git has none", async () => {
  const { GIT_AUTHOR_NAME, GIT_COMMITTER_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_EMAIL, ...anonymous } =
    testGitEnvironment;
  repository.git("config", "user.useConfigOnly", "true");
  await expect(requireIdentity(new Git(anonymous), repository.path)).rejects.toMatchObject({
    code: "no_identity",
    remedy: expect.stringContaining("user.email"),
  });
  await requireIdentity(git, repository.path);
});

it("fails when git cannot sign the commit", async () => {
  repository.commit({ "new.txt": "new\n" }, lane);
  const program = join(repository.top, "no-signer");
  writeFileSync(program, "#!/bin/sh\necho no key >&2\nexit 1\n", { mode: 0o755 });
  repository.git("config", "commit.gpgSign", "true");
  repository.git("config", "gpg.program", program);
  const before = checkout();
  await expect(prepare(git, mergeRequest("squash"))).rejects.toMatchObject({
    message: expect.stringContaining("signed"),
  });
  rmSync(program);
  expect(checkout()).toEqual(before);
});
