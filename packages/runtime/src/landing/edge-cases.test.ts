import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LandLane, type Lane } from "@gantry/protocol";
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
let ids = 0;

beforeEach(() => {
  repository = new TestRepository({ name: "a project with 空白 and 'quotes'" });
  repository.commit({ "a.txt": "a\n", "deep/b.txt": "b\n", "out/c.txt": "c\n" });
  lanes = new PlainLanes(repository);
  const git = new Git(testGitEnvironment, { covers: () => true });
  landing = new LandingManager({
    git,
    lanes,
    conflictCheck: new ConflictCheck({ git, lanes }),
    jobs: new Jobs({ store: home.store, now, log: () => {} }),
    store: home.store,
    folder: join(repository.top, "landing"),
    env: testGitEnvironment,
    id: () => `job_${++ids}`,
    now,
    log: () => {},
    sessions: { get: () => ({}) as never, notice: () => {}, send: () => {} },
  });
});
afterEach(() => repository.remove());

const land = (lane: Lane, body: Partial<LandLane> = {}) => landing.land(lane.id, LandLane.parse(body));
const clean = () => expect(repository.git("status", "--porcelain")).toBe("");

it.each(["merge", "squash", "rebase"] as const)("keeps a sparse checkout sparse (%s)", async (how) => {
  const lane = lanes.add("one");
  repository.git("sparse-checkout", "set", "deep");
  repository.write({ "deep/new.txt": "new\n", "out/new.txt": "new\n" }, lane.path);
  await land(lane, { how });
  expect(existsSync(join(repository.path, "deep/new.txt"))).toBe(true);
  expect(existsSync(join(repository.path, "out/new.txt"))).toBe(false);
  expect(repository.git("ls-tree", "-r", "--name-only", "main")).toContain("out/new.txt");
  clean();
});

it("lands a lane with a detached HEAD and leaves a detached checkout unchanged", async () => {
  const lane = lanes.add("one");
  repository.gitIn(lane.path, "checkout", "-q", "--detach");
  repository.write({ "new.txt": "new\n" }, lane.path);
  repository.git("checkout", "-q", "--detach");
  const head = repository.git("rev-parse", "HEAD");
  const { to } = await land({ ...lane, branch: undefined });
  expect(repository.git("rev-parse", "main")).toBe(to);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
  expect(existsSync(join(repository.path, "new.txt"))).toBe(false);
});

it("moves a submodule with the landing", async () => {
  const library = new TestRepository({ name: "library" });
  const file = ["-c", "protocol.file.allow=always"];
  repository.git(...file, "submodule", "--quiet", "add", library.path, "library");
  repository.commit({});
  const lane = lanes.add("one");
  const moved = library.commit({ "more.txt": "more\n" });
  repository.gitIn(lane.path, ...file, "submodule", "--quiet", "update", "--init");
  repository.gitIn(join(lane.path, "library"), "fetch", "-q");
  repository.gitIn(join(lane.path, "library"), "checkout", "-q", moved);
  await land(lane, { how: "squash" });
  expect(repository.git("ls-tree", "main", "library")).toContain(moved);
  library.remove();
});

it("names a stale lock and changes nothing", async () => {
  const lane = lanes.add("one");
  repository.commit({ "new.txt": "new\n" }, lane.path);
  const lock = join(repository.path, ".git", "index.lock");
  writeFileSync(lock, "");
  const before = repository.git("rev-parse", "main");
  await expect(land(lane)).rejects.toMatchObject({ message: expect.stringContaining("index.lock") });
  expect(repository.git("rev-parse", "main")).toBe(before);
  rmSync(lock);
  await land(lane);
  clean();
});

it("keeps LFS pointer files where git-lfs is not installed", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`;
  repository.commit({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "a.bin": pointer });
  const lane = lanes.add("one");
  repository.write({ "b.bin": pointer, "new.txt": "new\n" }, lane.path);
  await land(lane, { how: "squash" });
  expect(repository.git("show", "main:b.bin")).toBe(pointer.trim());
  expect(readFileSync(join(repository.path, "b.bin"), "utf8")).toBe(pointer);
});

it("lands two lanes concurrently", async () => {
  const [one, two] = [lanes.add("one"), lanes.add("two")];
  repository.write({ "one.txt": "1\n" }, one.path);
  repository.write({ "two.txt": "2\n" }, two.path);
  await Promise.all([land(one), land(two)]);
  expect(repository.git("ls-tree", "-r", "--name-only", "main")).toMatch(/one\.txt\n.*two\.txt/s);
  clean();
});

it("does not take the files of another landing for changes of the user", async () => {
  const all = ["one", "two", "three"].map((name) => lanes.add(name));
  for (const { path, name } of all) {
    // Many files make the move of the work tree long enough to be seen.
    const files = Array.from({ length: 1500 }, (_, index) => [`${name}/${index}.txt`, `${index}\n`]);
    repository.write(Object.fromEntries(files), path);
  }
  await Promise.all(all.map((lane) => land(lane)));
  const landed = repository.git("ls-tree", "-r", "--name-only", "main");
  for (const { name } of all) expect(landed).toContain(`${name}/1499.txt`);
  clean();
}, 60_000);

it("does not disturb an unresolved merge in the target", async () => {
  const lane = lanes.add("one");
  repository.write({ "new.txt": "new\n" }, lane.path);
  repository.git("checkout", "-q", "-b", "side");
  repository.commit({ "a.txt": "side\n" });
  repository.git("checkout", "-q", "main");
  repository.commit({ "a.txt": "main\n" });
  expect(() => repository.git("merge", "-q", "side")).toThrow();
  await expect(land(lane)).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("a merge") });
  expect(repository.git("status", "--porcelain")).toBe("UU a.txt");
});
