import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { filesOf, ownState, TestTree } from "../testing/test-tree.ts";
import { changesBetween } from "../work-tree/diff.ts";
import { restore } from "../work-tree/restore.ts";
import { previewRevert } from "./preview-revert.ts";

vi.setConfig({ testTimeout: 600_000 });

/** Few names, so that files and folders replace each other; some are ignored, some are unusual. */
const name = fc.constantFrom("a", "b/c", "b", "b/d/e f", "a/ü\n.txt", "x.log", "b/y.log", "-q", "[g]*", "a/.gitkeep");

type Change =
  | { do: "write"; path: string; text: string; program: boolean }
  | { do: "link"; path: string; to: string }
  | { do: "remove"; path: string }
  | { do: "rename"; path: string; to: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    do: fc.constant("write" as const),
    path: name,
    text: fc.constantFrom("", "one\n", "two\r\n", "no end", "\u0000\u0001", "long\n".repeat(500)),
    program: fc.boolean(),
  }),
  fc.record({ do: fc.constant("link" as const), path: name, to: fc.constantFrom("a", "nowhere", "b/c") }),
  fc.record({ do: fc.constant("remove" as const), path: name }),
  fc.record({ do: fc.constant("rename" as const), path: name, to: name }),
);
const changes = fc.array(change, { maxLength: 6 });

/** Removes what blocks the operation, such as a file where a folder is needed. */
function apply(root: string, one: Change): unknown {
  const path = join(root, one.path);
  if (one.do === "remove") return lookAt(path) && rmSync(path, { recursive: true, force: true });
  if (one.do === "rename") {
    if (!lookAt(path) || `${one.to}/`.startsWith(`${one.path}/`) || `${one.path}/`.startsWith(`${one.to}/`)) return;
    makeRoom(root, one.to);
    return renameSync(path, join(root, one.to));
  }
  makeRoom(root, one.path);
  if (one.do === "link") return symlinkSync(one.to, path);
  writeFileSync(path, one.text);
  chmodSync(path, one.program ? 0o755 : 0o644);
}

function makeRoom(root: string, path: string): void {
  if (lookAt(join(root, path))) rmSync(join(root, path), { recursive: true, force: true });
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (lookAt(join(root, folder))?.isDirectory() === false) rmSync(join(root, folder));
  }
  mkdirSync(dirname(join(root, path)), { recursive: true });
}

function lookAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const isIgnored = (path: string) => path.split("/").some((part) => part.endsWith(".log"));
const listDifferences = (one: Record<string, string>, other: Record<string, string>) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]).sort();

let test: TestTree | undefined;
afterEach(() => test?.remove());

it("finds the exact changes of a turn, reverts them exactly, and leaves git's state unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, changes, fc.boolean(), async (earlier, during, later, commits) => {
      test?.remove();
      test = new TestTree();
      const { repository } = test;
      const root = repository.path;
      repository.commit({ ".gitignore": "*.log\n", "b/c": "committed\n" });
      const tree = await test.open();
      const look = () => filesOf(root, (path) => !isIgnored(path));
      const readIgnored = () => filesOf(root, isIgnored);

      for (const one of earlier) apply(root, one);
      const own = ownState(repository);
      const before = { files: look(), ...(await tree.snapshot()) };
      expect(ownState(repository)).toEqual(own);
      for (const one of during) apply(root, one);
      // An agent may commit its work.
      if (commits) repository.commit({});
      const after = { files: look(), ...(await tree.snapshot()) };
      const changed = await changesBetween(tree.shadow, before.commit, after.commit, { renames: false });
      const paths = changed.map(({ path }) => Buffer.from(path, "latin1").toString()).sort();
      expect(paths).toEqual(listDifferences(before.files, after.files));

      for (const one of later) apply(root, one);
      const current = look();
      const ignored = readIgnored();
      const aim = { from: after.commit, to: before.commit };
      const { files, changes } = await previewRevert(tree, root, aim, (await tree.snapshot()).commit);
      for (const { path, conflict, action } of files) {
        expect([path, action !== "none"]).toEqual([path, current[path] !== before.files[path]]);
        const changed = current[path] !== before.files[path] && current[path] !== after.files[path];
        expect([path, conflict]).toEqual([path, changed]);
      }
      const index = ownState(repository) as { index: string; head: string };
      const blocked = await restore(tree.shadow, changes).then(
        () => false,
        (error) => error.code === "conflict",
      );
      expect(readIgnored()).toEqual(ignored);
      expect(ownState(repository)).toMatchObject({ index: index.index, head: index.head });
      if (blocked) return;
      const expected = { ...current };
      for (const path of listDifferences(before.files, after.files)) {
        if (before.files[path] === undefined) delete expected[path];
        else expected[path] = before.files[path];
      }
      expect(look()).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});
