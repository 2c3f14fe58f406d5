import { afterEach, beforeEach, expect, it } from "vitest";
import { Git } from "../../lanes/git/git.ts";
import { TestRepository, testGitEnvironment } from "../../lanes/testing/test-repository.ts";
import { PlainLanes } from "../testing/plain-lanes.ts";
import { ConflictCheck } from "./conflict-check.ts";

let repository: TestRepository;
let lanes: PlainLanes;
let conflictCheck: ConflictCheck;

beforeEach(() => {
  repository = new TestRepository();
  repository.commit({ "a.txt": "1\n2\n3\n", "b.txt": "1\n2\n3\n" });
  lanes = new PlainLanes(repository);
  conflictCheck = new ConflictCheck({ git: new Git(testGitEnvironment), lanes });
});
afterEach(() => repository.remove());

it("finds conflicts with the base and between lanes, in committed and uncommitted work", async () => {
  const one = lanes.add("one");
  const two = lanes.add("two");
  const three = lanes.add("three");
  repository.commit({ "a.txt": "one\n2\n3\n" }, one.path);
  repository.write({ "a.txt": "two\n2\n3\n", "new.txt": "new\n" }, two.path);
  repository.write({ "b.txt": "1\n2\nthree\n" }, three.path);
  repository.commit({ "b.txt": "1\n2\nmain\n" });
  expect((await conflictCheck.ofLane(one.id)).conflicts).toEqual([
    { with: "base", name: "main", state: "clean", files: [], shared: [] },
    { with: two.id, name: "two", state: "conflict", files: ["a.txt"], shared: ["a.txt"] },
    { with: three.id, name: "three", state: "clean", files: [], shared: [] },
  ]);
  const [matrix] = await conflictCheck.matrices();
  expect(matrix?.lanes.map(({ name, files, state, conflicts }) => [name, files, state, conflicts])).toEqual([
    ["one", 1, "clean", []],
    ["two", 2, "clean", []],
    ["three", 1, "conflict", ["b.txt"]],
  ]);
  expect(matrix?.pairs.filter(({ state }) => state === "conflict")).toHaveLength(1);
  expect(matrix?.order.map(({ name }) => name)).toEqual(["one", "two", "three"]);
  expect(repository.gitIn(two.path, "status", "--porcelain")).toBe("M a.txt\n?? new.txt");
});

it("repeats only merges whose inputs changed", async () => {
  const [one, two] = [lanes.add("one"), lanes.add("two"), lanes.add("three")];
  repository.write({ "a.txt": "one\n" }, one?.path);
  repository.write({ "b.txt": "two\n" }, two?.path);
  await conflictCheck.matrices();
  const first = conflictCheck.tried;
  await conflictCheck.matrices();
  expect(conflictCheck.tried).toBe(first);
  repository.write({ "b.txt": "two again\n" }, two?.path);
  await conflictCheck.matrices();
  // With the first lane, and with the base, where the third lane still is.
  expect(conflictCheck.tried - first).toBe(2);
});

it("reports unknown with a reason for unrelated histories", async () => {
  const lane = lanes.add("alone");
  repository.gitIn(lane.path, "checkout", "-q", "--orphan", "rootless");
  repository.commit({ "x.txt": "x\n" }, lane.path);
  const { conflicts } = await conflictCheck.ofLane(lane.id);
  expect(conflicts[0]).toMatchObject({ state: "unknown", reason: expect.stringContaining("unrelated") });
});
