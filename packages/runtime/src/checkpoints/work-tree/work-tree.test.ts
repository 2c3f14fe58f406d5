import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownState, TestTree } from "../testing/test-tree.ts";
import { changesBetween, describeChanges } from "./diff.ts";
import { leftOutOf } from "./snapshot.ts";
import type { WorkTree } from "./work-tree.ts";

let test: TestTree;
beforeEach(() => {
  test = new TestTree();
});
afterEach(() => test.remove());

async function changes(tree: WorkTree, change: () => void, cwd = tree.place.root) {
  const before = await tree.snapshot();
  change();
  const after = await tree.snapshot();
  return describeChanges(await changesBetween(tree.shadow, before.commit, after.commit), tree.place.root, cwd);
}

const write = (name: string, text: string | Buffer) => writeFileSync(join(test.repository.path, name), text);
const files = (commit: string) =>
  test.repository.git("ls-tree", "-r", "--name-only", "-z", commit).split("\0").filter(Boolean);

describe("a snapshot", () => {
  it("holds tracked and untracked files, not ignored ones, and does not change the user's state", async () => {
    const { repository } = test;
    repository.commit({ ".gitignore": "*.log\n", "a.txt": "a\n", "staged.txt": "1\n" });
    repository.write({ "new.txt": "new\n", "x.log": "ignored", "staged.txt": "2\n" });
    repository.git("add", "staged.txt");
    repository.write({ "staged.txt": "3\n" });
    const before = ownState(repository);
    const tree = await test.open();
    const { commit, head } = await tree.snapshot();
    expect(files(commit)).toEqual([".gitignore", "README.md", "a.txt", "new.txt", "staged.txt"]);
    expect(repository.git("show", `${commit}:staged.txt`)).toBe("3");
    expect(head).toBe(repository.git("rev-parse", "HEAD"));
    expect(repository.git("rev-parse", `${commit}^`)).toBe(head);
    expect(ownState(repository)).toEqual(before);
  });

  it("is reused for an unchanged tree; a tree with only new timestamps has the same files", async () => {
    const tree = await test.open();
    const first = await tree.snapshot();
    expect((await tree.snapshot()).commit).toBe(first.commit);
    utimesSync(join(test.repository.path, "README.md"), 1, 1);
    expect((await tree.snapshot()).tree).toBe(first.tree);
  });

  it("is shared by concurrent callers, and taken again for a later one", async () => {
    const tree = await test.open();
    const [one, two] = await Promise.all([tree.snapshot(), tree.snapshot()]);
    expect(one).toBe(two);
    write("late.txt", "late");
    expect(files((await tree.snapshot()).commit)).toContain("late.txt");
  });

  it("lists additions, deletions, renames, modes, binary files, links and unusual names", async () => {
    const { repository } = test;
    repository.commit({ "old name.txt": "one\ntwo\nthree\nfour\n", "gone.txt": "x\n", "run.sh": "echo\n" });
    const tree = await test.open();
    const found = await changes(tree, () => {
      renameSync(join(repository.path, "old name.txt"), join(repository.path, "ünïcode\n\tname.txt"));
      rmSync(join(repository.path, "gone.txt"));
      chmodSync(join(repository.path, "run.sh"), 0o755);
      write("data.bin", Buffer.from([0, 1, 2, 255]));
      symlinkSync("nowhere", join(repository.path, "link"));
      write("README.md", "hello\nworld\n");
      write('-dash "quoted" * [x]', "y\n");
    });
    expect(found).toEqual([
      { path: '-dash "quoted" * [x]', kind: "add", additions: 1, deletions: 0 },
      { path: "README.md", kind: "update", additions: 1, deletions: 0 },
      { path: "data.bin", kind: "add", binary: true },
      { path: "gone.txt", kind: "delete", additions: 0, deletions: 1 },
      { path: "link", kind: "add", additions: 1, deletions: 0 },
      { path: "run.sh", kind: "update", additions: 0, deletions: 0, modes: ["100644", "100755"] },
      { path: "old name.txt", kind: "move", to: "ünïcode\n\tname.txt", additions: 0, deletions: 0 },
    ]);
  });

  it("handles a folder that replaces a file and a file that replaces a folder", async () => {
    const { repository } = test;
    repository.commit({ a: "file\n", "b/c.txt": "c\n" });
    const tree = await test.open();
    const found = await changes(tree, () => {
      rmSync(join(repository.path, "a"));
      rmSync(join(repository.path, "b"), { recursive: true });
      repository.write({ "a/inner.txt": "1\n", b: "now a file\n" });
    });
    expect(found.map(({ path, kind }) => [path, kind])).toEqual([
      ["a", "delete"],
      ["a/inner.txt", "add"],
      ["b", "add"],
      ["b/c.txt", "delete"],
    ]);
  });

  it("stores exact bytes, whatever line endings, filters and encodings the repository configures", async () => {
    const { repository } = test;
    repository.git("config", "core.autocrlf", "true");
    repository.git("config", "core.safecrlf", "true");
    repository.git("config", "filter.broken.clean", "false");
    repository.git("config", "filter.broken.required", "true");
    write(
      ".gitattributes",
      "*.txt text eol=crlf\n*.dat filter=broken -text\n*.bin filter=lfs diff=lfs\n*.u16 working-tree-encoding=UTF-16\n*.id ident\n",
    );
    write("mixed.txt", "one\r\ntwo\nthree\r\n");
    write("x.dat", "never filtered\r\n");
    write("big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n");
    write("not.u16", "plain");
    write("v.id", "$Id: keep $\n");
    const { commit, left } = await (await test.open()).snapshot();
    expect(left).toEqual([]);
    const bytes = (name: string) => repository.git("cat-file", "blob", `${commit}:${name}`);
    expect(bytes("mixed.txt")).toBe("one\r\ntwo\nthree");
    expect(bytes("x.dat")).toBe("never filtered");
    expect(bytes("not.u16")).toBe("plain");
    expect(bytes("v.id")).toBe("$Id: keep $");
    expect(bytes("big.bin")).toContain("git-lfs");
  });

  it("holds tracked files although ignored, and drops newly ignored files at the next start", async () => {
    const { repository } = test;
    repository.commit({ ".gitignore": "dist/\n" });
    repository.write({ "dist/tracked.js": "1\n", "dist/not.js": "1\n", "heap/1": "", "heap/2": "" });
    repository.git("add", "-f", "dist/tracked.js");
    const tree = await test.open();
    const all = [".gitignore", "README.md", "dist/tracked.js", "heap/1", "heap/2"];
    expect(files((await tree.snapshot()).commit)).toEqual(all);
    const found = await changes(tree, () =>
      repository.write({ ".gitignore": "dist/\nheap/\n", "dist/tracked.js": "2\n" }),
    );
    expect(found.map(({ path }) => path)).toEqual([".gitignore", "dist/tracked.js"]);
    expect(files((await tree.snapshot({ drops: true })).commit)).toEqual(all.slice(0, 3));
    expect(existsSync(join(repository.path, "heap/1"))).toBe(true);
  });

  it("runs no hook and no monitor, and needs no identity", async () => {
    const { repository } = test;
    const marker = join(repository.top, "ran");
    for (const hook of ["pre-commit", "post-index-change", "reference-transaction", "post-commit"]) {
      repository.hook(hook, `touch ${marker}; exit 1`);
    }
    repository.git("config", "core.fsmonitor", `touch ${marker}; false`);
    repository.git("config", "commit.gpgsign", "true");
    await (await test.open()).snapshot();
    expect(existsSync(marker)).toBe(false);
  });
});

describe("a repository at its worst", () => {
  it("works without a commit and with a detached HEAD", async () => {
    test.remove();
    test = new TestTree({ empty: true });
    write("first.txt", "1");
    const tree = await test.open();
    const { commit, head, branch } = await tree.snapshot();
    expect([head, branch]).toEqual([undefined, "main"]);
    expect(files(commit)).toEqual(["first.txt"]);
    test.repository.commit({});
    test.repository.git("checkout", "-q", "--detach");
    expect(await tree.snapshot()).toMatchObject({ head: test.repository.git("rev-parse", "HEAD") });
  });

  it("works with stale locks: ignores the user's and removes ours", async () => {
    const tree = await test.open();
    await tree.snapshot();
    writeFileSync(join(test.repository.path, ".git", "index.lock"), "");
    writeFileSync(`${tree.shadow.index}.lock`, "");
    write("a.txt", "a");
    expect(files((await tree.snapshot()).commit)).toContain("a.txt");
    expect(existsSync(join(test.repository.path, ".git", "index.lock"))).toBe(true);
  });

  it("works with a damaged index of ours", async () => {
    const tree = await test.open();
    const { tree: same } = await tree.snapshot();
    writeFileSync(tree.shadow.index, "not an index");
    expect((await tree.snapshot()).tree).toBe(same);
  });

  it("works with submodules, fetched and not, and with nested repositories", async () => {
    const { repository } = test;
    const library = new TestTree({ name: "lib" });
    for (const name of ["one", "two"]) {
      repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.repository.path, name);
    }
    repository.commit({});
    repository.git("submodule", "--quiet", "deinit", "-f", "two");
    mkdirSync(join(repository.path, "nested"));
    repository.gitIn(join(repository.path, "nested"), "init", "-q");
    repository.write({ "nested/x.txt": "x" });
    const before = ownState(repository);
    const tree = await test.open();
    const { commit, left } = await tree.snapshot();
    expect(files(commit)).toEqual([".gitmodules", "README.md", "one", "two"]);
    expect(left).toEqual([{ path: "nested", why: "a separate repository without a commit" }]);
    expect(await leftOutOf(tree.shadow, commit)).toEqual(left);
    expect(ownState(repository)).toEqual(before);
    const found = await changes(tree, () => {
      repository.write({ "one/dirty.txt": "not seen" });
      repository.gitIn(join(repository.path, "one"), "commit", "-q", "--allow-empty", "-m", "more");
    });
    expect(found).toEqual([{ path: "one", kind: "update", submodule: true }]);
    library.remove();
  });

  it("works with a sparse checkout: files outside it are not deleted", async () => {
    const { repository } = test;
    repository.commit({ "in/a.txt": "a\n", "out/b.txt": "b\n", "out/deep/c.txt": "c\n" });
    repository.git("sparse-checkout", "set", "--cone", "in");
    expect(existsSync(join(repository.path, "out"))).toBe(false);
    const before = ownState(repository);
    const tree = await test.open();
    const { commit } = await tree.snapshot();
    expect(files(commit)).toEqual(["README.md", "in/a.txt", "out/b.txt", "out/deep/c.txt"]);
    const found = await changes(tree, () => repository.write({ "in/a.txt": "changed\n" }));
    expect(found.map(({ path }) => path)).toEqual(["in/a.txt"]);
    expect(ownState(repository)).toMatchObject({ index: (before as { index: string }).index });
  });

  it("works in a linked work tree and below its root", async () => {
    const { repository } = test;
    repository.commit({ "sub dir/a.txt": "a\n" });
    const linked = join(repository.top, "linked tree");
    repository.git("worktree", "add", "-q", "-b", "side", linked);
    const cwd = join(linked, "sub dir");
    const tree = await test.open(cwd);
    const found = await changes(
      tree,
      () => repository.write({ "sub dir/a.txt": "b\n", "top.txt": "t\n" }, linked),
      cwd,
    );
    expect(found.map(({ path }) => path)).toEqual(["a.txt", "../top.txt"]);
    expect(readdirSync(join(test.home, "checkpoints"))).toHaveLength(1);
  });

  it("omits files that are too large, unreadable or too many", async () => {
    const { repository } = test;
    test.limits = { fileBytes: 1000, untrackedFiles: 5 };
    repository.write({ "big.txt": "x".repeat(2000), "grows.txt": "small" });
    const tree = await test.open();
    const first = await tree.snapshot();
    expect(files(first.commit)).toEqual(["README.md", "grows.txt"]);
    expect(first.left).toEqual([{ path: "big.txt", why: "larger than 0 MB" }]);
    repository.write({ "grows.txt": "y".repeat(2000) });
    expect(files((await tree.snapshot()).commit)).toEqual(["README.md"]);
    for (let i = 0; i < 20; i++) repository.write({ [`many/${i}`]: "" });
    await expect(tree.snapshot()).rejects.toMatchObject({ remedy: expect.stringContaining(".gitignore") });
    repository.write({ ".gitignore": "many/\n" });
    expect(files((await tree.snapshot()).commit)).toEqual([".gitignore", "README.md"]);
  });
});
