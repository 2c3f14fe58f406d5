import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TestLanes } from "./testing/test-lanes.ts";

vi.setConfig({ testTimeout: 60_000 });
const made: TestLanes[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.dispose();
});

function start(options?: ConstructorParameters<typeof TestLanes>[0]): TestLanes {
  const one = new TestLanes(options);
  made.push(one);
  return one;
}

const session = (id: string, cwd: string, more = {}) => ({
  id,
  cwd,
  busy: false,
  updatedAt: new Date().toISOString(),
  ...more,
});

describe("a new lane", () => {
  it("has a name, branch, folder and ports, and does not change the user's checkout", async () => {
    const { lanes, repo, cwd, home } = start();
    repo.write({ "README.md": "mine\n", untracked: "mine\n" });
    mkdirSync(join(cwd, "below"));
    const head = repo.git("rev-parse", "HEAD");
    const before = repo.git("status", "--porcelain");
    const { lane, created } = await lanes.create({ cwd: join(cwd, "below"), prompt: "Fix the login page, please" });
    expect(created).toBe(true);
    expect(lane).toMatchObject({
      name: "fix-the-login-page",
      kind: "worktree",
      repository: cwd,
      branch: "gantry/fix-the-login-page",
      base: { ref: "main", commit: head },
      head,
      state: "ready",
      dirty: false,
      changes: 0,
      ahead: 0,
      behind: 0,
      unpushed: 0,
      setup: { state: "none" },
      missing: [],
    });
    expect(lane.path).toMatch(new RegExp(`^${home}/lanes/project-[0-9a-f]{10}/fix-the-login-page$`));
    expect(readFileSync(join(lane.path, "README.md"), "utf8")).toBe("hello\n");
    expect(lane.ports?.end).toBe((lane.ports?.start ?? 0) + 9);
    expect(repo.git("status", "--porcelain")).toBe(before);
    expect(lanes.surroundings(lane.id)).toEqual({
      GANTRY_LANE: lane.id,
      GANTRY_LANE_PATH: lane.path,
      GANTRY_PORT: `${lane.ports?.start}`,
      GANTRY_PORT_START: `${lane.ports?.start}`,
      GANTRY_PORT_END: `${lane.ports?.end}`,
    });
  });

  it("is created once for two requests with one id; a different body is refused", async () => {
    const { lanes, cwd } = start();
    const body = { id: "lan_x", cwd, name: "a" };
    const [one, two] = await Promise.all([lanes.create(body), lanes.create(body)]);
    const again = await lanes.create({ id: "lan_x", cwd, name: "a" });
    expect([one.created, again.created, again.lane.path]).toEqual([true, false, one.lane.path]);
    expect([two.created, two.lane.path]).toEqual([false, one.lane.path]);
    await expect(lanes.create({ id: "lan_x", cwd, name: "b" })).rejects.toMatchObject({ code: "conflict" });
    expect((await lanes.list({ cwd })).lanes.length).toBe(2);
  });

  it("gets a distinct name, path and ports when created concurrently from the same prompt", async () => {
    const { lanes, cwd } = start();
    const all = await Promise.all([1, 2, 3].map(() => lanes.create({ cwd, prompt: "do it" })));
    expect(all.map(({ lane }) => lane.name).sort()).toEqual(["do-it", "do-it-2", "do-it-3"]);
    expect(new Set(all.map(({ lane }) => lane.ports?.start)).size).toBe(3);
    await expect(lanes.create({ cwd, name: "DO-IT" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("starts from a branch, a tag or a commit, or works on an existing branch", async () => {
    const { lanes, repo, cwd } = start();
    const first = repo.git("rev-parse", "HEAD");
    repo.git("tag", "v1");
    repo.git("branch", "feature");
    const second = repo.commit({ a: "1" });
    const from = async (body: object) => (await lanes.create({ cwd, ...body })).lane;
    expect(await from({ name: "1", base: "feature" })).toMatchObject({
      base: { ref: "feature", commit: first },
      head: first,
    });
    expect(await from({ name: "2", base: "v1" })).toMatchObject({ base: { commit: first }, behind: 0 });
    expect(await from({ name: "3", base: second.slice(0, 10) })).toMatchObject({
      base: { commit: second },
      head: second,
    });
    expect(await from({ branch: "feature" })).toMatchObject({
      name: "feature",
      branch: "feature",
      base: { ref: "main", commit: first },
      behind: 1,
    });
    await expect(from({ name: "5", branch: "feature" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("checked out"),
    });
    await expect(from({ name: "5", branch: "main" })).rejects.toMatchObject({ code: "conflict" });
    await expect(from({ name: "5", branch: "nothing" })).rejects.toMatchObject({ code: "invalid" });
    await expect(from({ name: "5", base: "--force" })).rejects.toMatchObject({ code: "invalid" });
    expect(repo.git("worktree", "list").split("\n").length).toBe(5);
  });

  it("starts from the primary work tree's HEAD when requested inside a lane", async () => {
    const { lanes, cwd, repo } = start();
    const { lane } = await lanes.create({ cwd, name: "one" });
    repo.commit({ own: "1" }, lane.path);
    const second = (await lanes.create({ cwd: lane.path, name: "two" })).lane;
    expect(second).toMatchObject({ repository: cwd, base: { ref: "main" }, ahead: 0 });
  });

  it("starts from a detached HEAD", async () => {
    const { lanes, repo, cwd } = start();
    repo.git("checkout", "-q", "--detach");
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect([lane.base?.ref, lane.branch]).toEqual([undefined, "gantry/one"]);
    expect((await lanes.list({ cwd })).lanes[0]).toMatchObject({ kind: "primary", head: lane.head });
    expect((await lanes.list({ cwd })).lanes[0]?.branch).toBeUndefined();
  });

  it("works in a bare repository", async () => {
    const { lanes, repo } = start();
    const bare = join(repo.top, "bare.git");
    repo.git("clone", "-q", "--bare", repo.path, bare);
    const { lane } = await lanes.create({ cwd: bare, name: "one" });
    expect(lane).toMatchObject({ repository: bare, state: "ready", missing: [] });
    const { lanes: all } = await lanes.list({ cwd: lane.path });
    expect(all.map(({ kind, missing }) => [kind, missing.length])).toEqual([
      ["primary", 1],
      ["worktree", 0],
    ]);
  });

  it("works with spaces, newlines and non-ASCII letters in the path", async () => {
    const { lanes, repo, cwd } = start({ repository: { name: "sp ace\nné 漢" } });
    const { lane } = await lanes.create({ cwd, name: "Größe 漢字 & more" });
    expect(lane).toMatchObject({ name: "Größe 漢字 & more", branch: "gantry/grosse-more", state: "ready" });
    repo.write({ "ne\nw": "1" }, lane.path);
    expect((await lanes.diff(lane.id, {})).files).toEqual([{ path: "ne\nw", kind: "add", additions: 1, deletions: 0 }]);
    expect((await lanes.remove(lane.id, { force: true })).removed).toBe(true);
    expect(existsSync(lane.path)).toBe(false);
  });

  it.each([
    ["not in git", "not_a_repository"],
    ["without a commit", "no_commits"],
  ])("is refused in a folder %s, with a remedy", async (_, code) => {
    const { lanes, home, repo } = start({ repository: { empty: true } });
    const cwd = code === "no_commits" ? repo.path : home;
    await expect(lanes.create({ cwd, name: "x" })).rejects.toMatchObject({
      code,
      remedy: expect.stringContaining("commit"),
    });
    const [primary] = (await lanes.list({ cwd })).lanes;
    expect(primary).toMatchObject({ kind: "primary", path: cwd, missing: [expect.stringContaining("commit")] });
    expect(existsSync(join(home, "lanes"))).toBe(false);
  });

  it("is created without the untrusted hooks and filters of the repository, with a notice that names them", async () => {
    const { lanes, repo, cwd } = start({ trust: { covers: () => false } });
    repo.commit({ ".gitattributes": "*.txt filter=broken\n", "a.txt": "1" });
    repo.git("config", "filter.broken.smudge", "false");
    repo.git("config", "filter.broken.required", "true");
    repo.hook("post-checkout", "echo 'hook failed' >&2; exit 1");
    const { lane } = await lanes.create({ cwd, name: "one" });
    const notice = expect.stringContaining("without the filter broken, the hook post-checkout");
    expect(lane).toMatchObject({ state: "ready", notices: [notice] });
    expect(readFileSync(join(lane.path, "a.txt"), "utf8")).toBe("1");
  });

  it("leaves nothing behind when git cannot create it", async () => {
    const { lanes, repo, cwd, home } = start();
    repo.commit({ "a.txt": "missing from the object store" });
    const blob = repo.git("rev-parse", "HEAD:a.txt");
    rmSync(join(repo.path, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    await expect(lanes.create({ cwd, name: "one" })).rejects.toMatchObject({ code: "git_failed" });
    expect((await lanes.list({ cwd })).lanes.length).toBe(1);
    expect(repo.git("branch", "--list", "gantry/*")).toBe("");
    expect(repo.git("worktree", "list").split("\n").length).toBe(1);
    expect(readdirSync(join(home, "lanes")).flatMap((name) => readdirSync(join(home, "lanes", name)))).toEqual([]);
  });
});

describe("lane views", () => {
  it("follow commits, changes and a base that moves", async () => {
    const { lanes, repo, cwd } = start();
    const { lane } = await lanes.create({ cwd, name: "one" });
    repo.commit({ a: "1" }, lane.path);
    repo.write({ b: "1", "README.md": "2" }, lane.path);
    repo.commit({ c: "1" });
    const [, seen] = (await lanes.list({ cwd, refresh: true })).lanes;
    expect(seen).toMatchObject({ dirty: true, changes: 2, ahead: 1, behind: 1, unpushed: 1 });
    repo.git("update-ref", "refs/remotes/origin/x", repo.gitIn(lane.path, "rev-parse", "HEAD"));
    expect((await lanes.list({ cwd, refresh: true })).lanes[1]).toMatchObject({ ahead: 1, unpushed: 0 });
  });

  it("assign each session to one lane", async () => {
    const test = start();
    const { lanes, cwd, home } = test;
    const { lane } = await lanes.create({ cwd, name: "one" });
    test.places = [
      session("ses_1", cwd),
      session("ses_2", lane.path, { lane: lane.id }),
      session("ses_3", join(lane.path, "below")),
      session("ses_4", home),
      session("ses_5", cwd, { lane: "lan_gone" }),
    ];
    const { lanes: all } = await lanes.list({});
    expect(all.map(({ kind, sessions }) => [kind, sessions])).toEqual([
      ["primary", ["ses_1"]],
      ["worktree", ["ses_2", "ses_3"]],
    ]);
    expect(await lanes.ofSession("ses_2")).toMatchObject({ id: lane.id });
    expect(await lanes.ofSession("ses_1")).toMatchObject({ kind: "primary", repository: cwd });
    expect(await lanes.ofSession("ses_4")).toMatchObject({
      kind: "primary",
      missing: [expect.stringContaining("not in a git repository")],
    });
    await expect(lanes.ofSession("ses_5")).rejects.toMatchObject({ code: "no_such_lane" });
    expect(await lanes.get(all[0]!.id)).toMatchObject({ kind: "primary" });
    await expect(lanes.get("lan_nothing")).rejects.toMatchObject({ code: "no_such_lane" });
  });

  it("measure disk usage in the background", async () => {
    const { lanes, repo, cwd } = start();
    repo.commit({ large: "x".repeat(300_000) });
    const { lane } = await lanes.create({ cwd, name: "one" });
    await expect.poll(async () => (await lanes.get(lane.id)).disk ?? 0).toBeGreaterThan(300_000);
  });

  it("show a diff with committed, changed and untracked files, and leave no objects in the repository", async () => {
    const { lanes, repo, cwd } = start();
    const { lane } = await lanes.create({ cwd, name: "one" });
    repo.commit({ committed: "1\n" }, lane.path);
    repo.commit({ other: "1\n" });
    repo.write({ untracked: "1\n".repeat(5000), "README.md": "hello\nmore\n" }, lane.path);
    const objects = repo.git("count-objects");
    const diff = await lanes.diff(lane.id, { limit: 2000 });
    expect(diff.from).toBe(lane.base?.commit);
    expect(diff.files.map(({ path, kind }) => [path, kind])).toEqual([
      ["README.md", "update"],
      ["committed", "add"],
      ["untracked", "add"],
    ]);
    expect(diff).toMatchObject({
      additions: 5002,
      deletions: 0,
      left: ["untracked"],
      notice: expect.stringContaining("omits 1 file"),
    });
    expect((await lanes.diff(lane.id, { file: "untracked" })).left).toEqual([]);
    expect(repo.git("count-objects")).toBe(objects);
  });
});

describe("adopting", () => {
  it("adopts an existing worktree, and removal of the lane leaves it in place", async () => {
    const { lanes, repo, cwd } = start();
    const path = join(repo.top, "mine");
    repo.git("worktree", "add", "-q", "-b", "topic", path);
    expect((await lanes.list({ cwd })).adoptable).toEqual([
      { repository: cwd, path, branch: "topic", head: expect.any(String) },
    ]);
    const { lane } = await lanes.create({ path });
    expect(lane).toMatchObject({
      kind: "attached",
      name: "mine",
      branch: "topic",
      base: { ref: "main" },
      state: "ready",
    });
    expect((await lanes.list({ cwd, refresh: true })).adoptable).toEqual([]);
    repo.write({ work: "1" }, path);
    const { notices, undo } = await lanes.remove(lane.id, {});
    expect([notices.join(), undo]).toEqual([expect.stringContaining("left unchanged"), undefined]);
    expect(existsSync(join(path, "work"))).toBe(true);
    expect(repo.git("branch", "--list", "topic")).toContain("topic");
  });

  it("refuses the primary tree, a folder inside a worktree and an adopted worktree", async () => {
    const { lanes, repo, cwd } = start();
    const path = join(repo.top, "mine");
    repo.git("worktree", "add", "-q", "-b", "topic", path);
    mkdirSync(join(path, "below"));
    await expect(lanes.create({ path: cwd })).rejects.toMatchObject({ code: "invalid" });
    await expect(lanes.create({ path: join(path, "below") })).rejects.toMatchObject({ code: "invalid" });
    await lanes.create({ path });
    await expect(lanes.create({ path })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("renaming", () => {
  it("renames the branch unless it was pushed; the path stays", async () => {
    const { lanes, repo, cwd } = start();
    const { lane } = await lanes.create({ cwd, prompt: "one" });
    expect(await lanes.suggestName(lane.id, "Better name")).toBe(true);
    expect(await lanes.get(lane.id)).toMatchObject({
      name: "Better name",
      branch: "gantry/better-name",
      path: lane.path,
    });
    const renamed = await lanes.patch(lane.id, { name: "by hand" });
    expect(renamed).toMatchObject({ name: "by hand", branch: "gantry/by-hand" });
    expect(await lanes.suggestName(lane.id, "Too late")).toBe(false);
    repo.git("update-ref", "refs/remotes/origin/gantry/by-hand", renamed.head ?? "");
    expect(await lanes.patch(lane.id, { name: "third" })).toMatchObject({ name: "third", branch: "gantry/by-hand" });
    await lanes.create({ cwd, name: "other" });
    await expect(lanes.patch(lane.id, { name: "Other" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("archives, hides and unarchives a lane", async () => {
    const { lanes, cwd } = start();
    const { lane } = await lanes.create({ cwd, name: "one" });
    expect(await lanes.patch(lane.id, { archived: true })).toMatchObject({ state: "archived" });
    const count = async (archived: boolean | "any") => (await lanes.list({ cwd, archived })).lanes.length;
    expect([await count(false), await count(true), await count("any")]).toEqual([1, 1, 2]);
    expect(await lanes.waitForUsable(lane.id)).toMatchObject({ id: lane.id });
    expect(await lanes.get(lane.id)).toMatchObject({ state: "ready" });
  });

  it("does not change or remove a primary lane", async () => {
    const { lanes, cwd } = start();
    const [primary] = (await lanes.list({ cwd })).lanes;
    await expect(lanes.patch(primary!.id, { name: "x" })).rejects.toMatchObject({ code: "unsupported" });
    await expect(lanes.remove(primary!.id, { force: true })).rejects.toMatchObject({ code: "unsupported" });
    expect(existsSync(cwd)).toBe(true);
  });
});
