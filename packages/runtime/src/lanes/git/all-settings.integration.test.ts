import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { TestRepository, testGitEnvironment } from "../testing/test-repository.ts";
import { Git } from "./git.ts";

vi.setConfig({ testTimeout: 300_000 });

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const one of undo.splice(0).reverse()) one();
});

/** Every command with which the daemon only looks at a repository or writes Gantry's own data. */
const COMMANDS: readonly (readonly [how: "read" | "write", ...args: string[]])[] = [
  ["read", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--ignore-submodules=none"],
  ["read", "diff", "--no-ext-diff", "--no-textconv"],
  ["read", "diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv"],
  ["read", "diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", "HEAD~1", "HEAD"],
  ["read", "diff-index", "-p", "--no-ext-diff", "--no-textconv", "HEAD"],
  ["read", "log", "-p", "--no-ext-diff", "--no-textconv", "-3"],
  ["read", "for-each-ref"],
  ["read", "rev-list", "--count", "HEAD"],
  ["read", "merge-base", "main", "other"],
  ["read", "merge-tree", "--write-tree", "main", "other"],
  ["read", "ls-files", "-z", "--stage"],
  ["read", "check-ignore", "a.txt"],
  ["read", "cat-file", "blob", "HEAD:a.txt"],
  ["read", "worktree", "list", "--porcelain", "-z"],
  ["read", "remote"],
  ["read", "stash", "list"],
  ["write", "add", "--all", "--sparse", "--", ":/"],
  ["write", "update-index", "--refresh"],
  ["write", "write-tree"],
  ["write", "update-ref", "refs/gantry/x", "HEAD"],
  ["write", "checkout-index", "--all", "--force"],
  ["write", "reset", "--hard", "HEAD"],
  ["write", "read-tree", "-mu", "HEAD"],
  ["write", "branch", "extra"],
  ["write", "worktree", "add", "--detach", "../tree", "HEAD"],
  ["write", "worktree", "remove", "--force", "../tree"],
  ["write", "worktree", "prune"],
  ["write", "gc", "--auto"],
];

/** All settings that this git knows, with a name in place of each placeholder. */
function knownSettings(): string[] {
  const all = execFileSync("git", ["help", "--config"], { encoding: "utf8" }).split("\n");
  const keys = all.filter((line) => /^[a-z]+\..*[a-z*>)]$/i.test(line) && !line.includes(" "));
  return [...new Set(keys.map((key) => key.replace(/<[^>]*>|\*/g, "evil")))];
}

/** They change where the repository or its configuration lies. */
const NOT_PROGRAMS = /^(core\.(worktree|bare|repositoryFormatVersion)|extensions\.|include|safe\.)/i;

/** Appends settings to a configuration file, each with a command as its value. */
function configure(file: string, keys: readonly string[], commandFor: (key: string) => string): void {
  const text = keys.map((key) => {
    const [section = "", ...rest] = key.split(".");
    const name = rest.pop() ?? "";
    const mark = section === "alias" || name === "update" ? "!" : "";
    const head = rest.length === 0 ? `[${section}]` : `[${section} "${rest.join(".")}"]`;
    return `${head}\n\t${name} = "${mark}${commandFor(key)}"\n`;
  });
  appendFileSync(file, text.join(""));
}

/** The settings with which git works when their value is any text. Others have numbers and choices, and name no program. */
function acceptText(keys: readonly string[]): string[] {
  const repo = repository();
  const file = join(repo.path, ".git/config");
  const plain = readFileSync(file);
  const attempt = (some: readonly string[], args: readonly string[]): string | undefined => {
    writeFileSync(file, plain);
    configure(file, some, () => "f() { cat; }; f");
    const options = { cwd: repo.path, env: testGitEnvironment, timeout: 20_000, encoding: "utf8", input: "" } as const;
    const { status, stderr } = spawnSync("git", args, options);
    return status === 0 || status === 1 ? undefined : stderr.toLowerCase();
  };
  const sift = (some: readonly string[], args: readonly string[]): string[] => {
    if (attempt(some, args) === undefined) return [...some];
    if (some.length === 1) return [];
    const half = some.length >> 1;
    return [...sift(some.slice(0, half), args), ...sift(some.slice(half), args)];
  };
  let left = [...keys];
  for (const [, ...args] of COMMANDS) {
    for (let error = attempt(left, args); error !== undefined; error = attempt(left, args)) {
      const named = left.filter((key) => error?.includes(`'${key.toLowerCase()}'`));
      left = named.length > 0 ? left.filter((key) => !named.includes(key)) : sift(left, args);
      if (left.length === 0) return [];
    }
  }
  return left;
}

function repository(): TestRepository {
  const repo = new TestRepository();
  undo.push(() => repo.remove());
  repo.commit({ "a.txt": "one\n", "b.txt": "one\n" });
  repo.git("branch", "other");
  repo.commit({ "b.txt": "two\n" });
  mkdirSync(join(repo.path, ".git/info"), { recursive: true });
  writeFileSync(join(repo.path, ".git/info/attributes"), "* filter=evil diff=evil merge=evil\n");
  return repo;
}

it("runs no program of any setting that git knows, with any command that the daemon uses", async () => {
  const keys = acceptText(knownSettings().filter((key) => !NOT_PROGRAMS.test(key)));
  expect(keys.length).toBeGreaterThan(150);
  const repo = repository();
  const canary = join(repo.top, "canary");
  const filters = ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process"];
  configure(
    join(repo.path, ".git/config"),
    [...keys, ...filters],
    (key) => `f() { echo '${key}' >> '${canary}'; cat; }; f`,
  );
  const git = new Git(testGitEnvironment);
  const failed: string[] = [];
  for (const [how, ...args] of COMMANDS) {
    writeFileSync(join(repo.path, "a.txt"), `${args.join(" ")}\n`);
    const answer = await git[how](repo.path, args, { answers: Array.from({ length: 256 }, (_, code) => code) });
    if (answer.code > 1) failed.push(`${args[0]}: ${answer.err.slice(-300)}`);
    const ran = existsSync(canary) ? readFileSync(canary, "utf8").trim().split("\n") : [];
    expect([args.join(" "), [...new Set(ran)]]).toEqual([args.join(" "), []]);
  }
  expect(failed).toEqual([]);
});
