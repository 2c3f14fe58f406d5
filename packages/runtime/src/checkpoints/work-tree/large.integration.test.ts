import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { TestTree } from "../testing/test-tree.ts";
import { changesBetween } from "./diff.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

const FILES = 50_000;

let test: TestTree | undefined;
afterEach(() => test?.remove());

/** The bench measures the time. */
it("takes a checkpoint of 50,000 files and finds a few changes in it", async () => {
  test = new TestTree();
  const { path } = test.repository;
  const name = (i: number) => join(path, `part-${i % 10}`, `folder-${Math.floor(i / 100)}`, `${i}.txt`);
  for (let i = 0; i < FILES; i += 1) {
    if (i % 100 < 10) mkdirSync(dirname(name(i)), { recursive: true });
    // All have the same content, so that git writes few objects.
    writeFileSync(name(i), "the same\n");
  }
  test.repository.commit({});
  test.limits = { ...test.limits, untrackedFiles: 100 };
  const tree = await test.open();
  const before = await tree.snapshot();
  const { out } = await tree.shadow.read(["ls-tree", "-r", "--name-only", before.commit]);
  expect(out.trim().split("\n").length).toBe(FILES + 1);
  for (const i of [7, 25_000, 49_999]) writeFileSync(name(i), "changed\n");
  const after = await tree.snapshot();
  const changes = await changesBetween(tree.shadow, before.commit, after.commit);
  expect(changes.map(({ path: changed }) => changed.split("/").at(-1)).sort()).toEqual([
    "25000.txt",
    "49999.txt",
    "7.txt",
  ]);
  expect((await tree.snapshot()).commit).toBe(after.commit);
});
