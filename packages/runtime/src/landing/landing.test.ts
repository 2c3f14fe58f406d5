import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LandLane, type Session, UpdateLane } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Jobs } from "../jobs/jobs.ts";
import { Git } from "../lanes/git/git.ts";
import { TestRepository, testGitEnvironment } from "../lanes/testing/test-repository.ts";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import { ConflictCheck } from "./conflicts/conflict-check.ts";
import { LandingManager } from "./service.ts";
import { PlainLanes } from "./testing/plain-lanes.ts";

const home = new TemporaryStore();
const now = () => "2026-11-16T00:00:00.000Z";

let repository: TestRepository;
let lanes: PlainLanes;
let landing: LandingManager;
let notified: string[];
let sent: string[];
let states: Record<string, Session["state"]>;
let env: Record<string, string>;
let ids = 0;

beforeEach(() => {
  repository = new TestRepository();
  repository.commit({ "a.txt": "1\n2\n3\n", "b.txt": "1\n2\n3\n" });
  lanes = new PlainLanes(repository);
  [notified, sent, states] = [[], [], {}];
  env = { ...testGitEnvironment };
  landing = open();
});
afterEach(() => repository.remove());

function open(): LandingManager {
  const git = new Git(env, { covers: () => true });
  const keys = new Set<string>();

  return new LandingManager({
    git,
    lanes,
    conflictCheck: new ConflictCheck({ git, lanes }),
    jobs: new Jobs({ store: home.store, now, log: () => {} }),
    store: home.store,
    folder: join(repository.top, "landing"),
    env,
    id: () => `job_${++ids}`,
    now,
    log: () => {},
    sessions: {
      get: (id) => ({ id, title: `Title of ${id}`, turns: 1, state: states[id] ?? "idle" }) as Session,
      notice: (id, { kind, severity, text }, key) => {
        if (!keys.has(key)) notified.push(`${id} ${kind} ${severity}: ${text}`);
        keys.add(key);
      },
      send: (id, { text }) => sent.push(`${id}: ${text}`),
    },
  });
}

const land = (lane: string, body: Partial<LandLane> = {}) => landing.land(lane, LandLane.parse(body));
const main = () => repository.git("rev-parse", "main");

it("lands committed and uncommitted work, and notifies the other lanes of what changed in their base", async () => {
  const one = lanes.add("one", ["ses_1"]);
  const two = lanes.add("two", ["ses_2"]);
  lanes.add("three", ["ses_3"]);
  repository.commit({ "a.txt": "one\n2\n3\n" }, one.path);
  repository.write({ "new.txt": "new\n" }, one.path);
  repository.write({ "a.txt": "two\n2\n3\n" }, two.path);
  const before = main();
  const landed = await land(one.id, { how: "squash", tellAgents: true });
  expect(landed).toMatchObject({ state: "done", into: "main", from: before, to: main(), removed: false });
  expect(landed.files.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
  expect(repository.git("log", "-1", "--format=%s|%an")).toBe("Title of ses_1|Ada");
  expect(readFileSync(join(repository.path, "new.txt"), "utf8")).toBe("new\n");
  expect(repository.git("status", "--porcelain")).toBe("");
  const others = landed.told; // prose-ignore: API field
  expect(others).toEqual([
    { lane: two.id, name: "two", shared: ["a.txt"], state: "conflict", conflicts: ["a.txt"], sessions: ["ses_2"] },
    { lane: "lan_three", name: "three", shared: [], state: "clean", conflicts: [], sessions: ["ses_3"] },
  ]);
  expect(notified).toHaveLength(3);
  expect(notified[0]).toMatch(
    /^ses_2 base_moved warning: main moved from \w{8} to \w{8} because one landed: 2 files\. This lane also changed a\.txt\. It now conflicts in a\.txt\.$/,
  );
  expect(notified[2]).toMatch(/^ses_1 landed info: /);
  expect(sent.map((text) => text.slice(0, 5))).toEqual(["ses_2", "ses_3"]);
  expect(repository.git("rev-parse", landed.undo?.ref ?? "")).toBe(before);
  expect(existsSync(join(repository.top, "landing", landed.id))).toBe(false);
});

it("undoes a landing, unless the base has moved since", async () => {
  const one = lanes.add("one");
  repository.write({ "new.txt": "new\n" }, one.path);
  const before = main();
  const { id } = await land(one.id);
  expect(await landing.undo(id)).toMatchObject({ state: "undone" });
  expect(main()).toBe(before);
  expect(existsSync(join(repository.path, "new.txt"))).toBe(false);
  const again = await land(one.id);
  repository.commit({ "later.txt": "later\n" });
  await expect(landing.undo(again.id)).rejects.toMatchObject({
    code: "conflict",
    remedy: expect.stringContaining("git revert"),
  });
  expect(landing.list().map(({ state }) => state)).toEqual(["done", "undone"]);
});

it.each([
  ["a target with changes", "target_dirty", () => repository.write({ "b.txt": "mine\n" })],
  ["a conflict", "merge_conflict", () => repository.commit({ "a.txt": "main\n2\n3\n" })],
  ["a hook in the lane", "hook_failed", () => repository.hook("pre-commit", "exit 1")],
  ["a hook at the merge", "hook_failed", () => repository.hook("pre-merge-commit", "exit 1")],
  ["an agent at work", "turn_running", () => (states = { ses_1: "running" })],
] as const)("refuses to land with %s, and changes nothing", async (_, code, disturb) => {
  const one = lanes.add("one", ["ses_1"]);
  repository.write({ "a.txt": "one\n2\n3\n", "new.txt": "new\n" }, one.path);
  repository.gitIn(one.path, "add", "new.txt");
  disturb();
  const look = () => [
    main(),
    repository.git("status", "--porcelain"),
    repository.gitIn(one.path, "rev-parse", "HEAD"),
    repository.gitIn(one.path, "status", "--porcelain"),
    repository.git("for-each-ref"),
    repository.git("worktree", "list"),
  ];
  const before = look();
  await expect(land(one.id)).rejects.toMatchObject({ code });
  expect(look()).toEqual(before);
  expect(landing.list()).toEqual([]);
});

it("refuses uncommitted changes of the lane when commit is false", async () => {
  const one = lanes.add("one");
  repository.write({ "new.txt": "new\n" }, one.path);
  await expect(land(one.id, { commit: false })).rejects.toMatchObject({
    code: "lane_dirty",
    details: { files: ["new.txt"] },
  });
});

it("repeats a landing with the same id, refuses another body, and never lands twice", async () => {
  const one = lanes.add("one");
  repository.write({ "new.txt": "new\n" }, one.path);
  const first = await land(one.id, { id: "job_mine" });
  expect(await land(one.id, { id: "job_mine" })).toEqual(first);
  await expect(land(one.id, { id: "job_mine", how: "squash" })).rejects.toMatchObject({ code: "conflict" });
  await expect(land(one.id)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("already") });
  await expect(land(one.id, { into: "nowhere" })).rejects.toMatchObject({ code: "invalid" });
});

it("removes the lane afterwards when remove is set", async () => {
  const one = lanes.add("one");
  repository.write({ "new.txt": "new\n" }, one.path);
  expect(await land(one.id, { remove: true, how: "rebase" })).toMatchObject({ removed: true });
  expect(lanes.removed).toEqual([one.id]);
});

it("pushes a lane and opens one pull request with gh", async () => {
  const bare = join(repository.top, "remote.git");
  repository.git("init", "-q", "--bare", bare);
  repository.git("remote", "add", "origin", bare);
  const bin = join(repository.top, "bin");
  mkdirSync(bin);
  const calls = join(repository.top, "calls");
  const script = `#!/bin/sh\necho "$*" >> '${calls}'\n[ -e '${calls}.made' ] && { echo 'a pull request for branch "one" already exists:' >&2; echo https://forge.example/pull/7 >&2; exit 1; }\ntouch '${calls}.made'\necho https://forge.example/pull/7\n`;
  writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
  const one = lanes.add("one", ["ses_1"]);
  repository.write({ "new.txt": "new\n" }, one.path);
  const before = main();
  expect((await land(one.id, { how: "pr" })).pr).toEqual({
    remote: "origin",
    branch: "one",
    open: "gh pr create --head one --base main",
  });
  env.PATH = `${bin}:${env.PATH}`;
  landing = open();
  const url = "https://forge.example/pull/7";
  const message = "A title\n\nAnd a text";
  expect((await land(one.id, { how: "pr", message })).pr).toEqual({ remote: "origin", branch: "one", url });
  expect((await land(one.id, { how: "pr", message })).pr?.url).toBe(url);
  expect(readFileSync(calls, "utf8").split("\n")[0]).toBe(
    "pr create --head one --base main --title A title --body And a text",
  );
  expect(repository.gitIn(bare, "rev-parse", "one")).toBe(repository.gitIn(one.path, "rev-parse", "HEAD"));
  expect(main()).toBe(before);
});

it.each(["rebase", "merge"] as const)("brings a lane up to date by %s", async (how) => {
  const one = lanes.add("one", ["ses_1"]);
  repository.commit({ "new.txt": "new\n" }, one.path);
  const base = repository.commit({ "a.txt": "main\n" });
  const from = repository.gitIn(one.path, "rev-parse", "HEAD");
  const updated = await landing.update(one.id, UpdateLane.parse({ how }));
  expect(updated).toMatchObject({ moved: true, from, to: repository.gitIn(one.path, "rev-parse", "HEAD") });
  expect(repository.gitIn(one.path, "merge-base", "HEAD", "main")).toBe(base);
  expect(repository.gitIn(one.path, "symbolic-ref", "--short", "HEAD")).toBe("one");
  expect(repository.gitIn(one.path, "status", "--porcelain")).toBe("");
  expect(repository.git("rev-parse", updated.undo?.ref ?? "")).toBe(from);
  expect(await landing.update(one.id, UpdateLane.parse({ how }))).toMatchObject({ moved: false });
});

it("keeps uncommitted changes during an update or refuses it, and changes nothing on a conflict", async () => {
  const one = lanes.add("one");
  repository.commit({ "a.txt": "one\n2\n3\n" }, one.path);
  repository.write({ "b.txt": "loose\n" }, one.path);
  repository.commit({ "c.txt": "main\n" });
  const update = (body: Partial<UpdateLane>) => landing.update(one.id, UpdateLane.parse(body));
  await expect(update({})).rejects.toMatchObject({ code: "lane_dirty" });
  await update({ dirty: true });
  expect(readFileSync(join(one.path, "b.txt"), "utf8")).toBe("loose\n");
  expect(existsSync(join(one.path, "c.txt"))).toBe(true);
  repository.commit({ "b.txt": "main\n" });
  await expect(update({ dirty: true })).rejects.toMatchObject({ code: "lane_dirty", details: { files: ["b.txt"] } });
  repository.gitIn(one.path, "checkout", "-q", "b.txt");
  repository.commit({ "a.txt": "main\n2\n3\n" });
  const head = repository.gitIn(one.path, "rev-parse", "HEAD");
  await expect(update({})).rejects.toMatchObject({ code: "merge_conflict", details: { files: ["a.txt"] } });
  expect(repository.gitIn(one.path, "rev-parse", "HEAD")).toBe(head);
});

it("continues from the base after a squash landing of the lane", async () => {
  const one = lanes.add("one");
  repository.commit({ "a.txt": "one\n2\n3\n" }, one.path);
  repository.commit({ "a.txt": "one\ntwo\n3\n" }, one.path);
  await land(one.id, { how: "squash" });
  expect(await landing.update(one.id, UpdateLane.parse({}))).toMatchObject({ moved: true, to: main() });
});
