import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashCommand, hashText } from "./digest.ts";
import type { TrustItem } from "./items.ts";
import { openTrustStore } from "./store.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-trust-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const home = () => join(root, "home");
const store = () => openTrustStore(home());

function write(path: string, text = ""): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const item = (file: string, text = readFileSync(file, "utf8")): TrustItem => ({
  kind: "language-server",
  name: "x",
  file,
  command: "x",
  hash: hashText(text),
});
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@t", ...args], { cwd, stdio: "pipe" }).toString();

describe("the trust store", () => {
  it("trusts exactly the recorded content of the recorded folder, until it is revoked", () => {
    const file = write("repo/lsp.json", "one");
    const repo = join(root, "repo");
    expect(store().covers(repo, [item(file)])).toBe(false);
    store().trust(repo, [item(file)]);
    expect(store().covers(repo, [item(file)])).toBe(true);
    expect(store().covers(repo, [item(file, "two")])).toBe(false);
    expect(store().covers(repo, [item(file), item(write("repo/other.json"))])).toBe(false);
    expect(store().list()).toMatchObject([{ path: repo, items: { "file:lsp.json": hashText("one") } }]);
    expect(store().revoke(repo)).toBe(true);
    expect(store().covers(repo, [item(file)])).toBe(false);
    expect(store().list()).toEqual([]);
  });

  it("keeps its files private", () => {
    write("repo/a");
    store().trust(join(root, "repo"), []);
    const dir = join(home(), "trust");
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it("trusts nothing when a record is damaged, foreign, writable by others or a link", () => {
    const repo = join(root, "repo");
    const file = write("repo/lsp.json", "one");
    const record = () => join(home(), "trust", readdirSync(join(home(), "trust"))[0] ?? "");
    store().trust(repo, [item(file)]);
    const good = readFileSync(record(), "utf8");
    const bad = ["", "{", "[]", "null", good.slice(0, -9), good.replace('"version": 1', '"version": 2')];
    for (const text of [...bad, good.replaceAll(repo, join(root, "other"))]) {
      writeFileSync(record(), text);
      expect(store().covers(repo, [item(file)])).toBe(false);
      expect(
        store()
          .list()
          .map(({ path }) => path),
      ).not.toContain(repo);
    }
    writeFileSync(record(), good);
    expect(store().covers(repo, [item(file)])).toBe(true);
    chmodSync(record(), 0o666);
    expect(store().covers(repo, [item(file)])).toBe(false);
    const name = record();
    rmSync(name);
    symlinkSync(write("repo/record.json", good), name);
    expect(store().covers(repo, [item(file)])).toBe(false);
  });

  it("never trusts content for random damage of a record", () => {
    const repo = join(root, "repo");
    const file = write("repo/lsp.json", "one");
    store().trust(repo, [item(file)]);
    const record = join(home(), "trust", readdirSync(join(home(), "trust"))[0] ?? "");
    const good = readFileSync(record);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.string(), (at, byte, text) => {
        const damaged = Buffer.from(good);
        damaged[at] = byte;
        writeFileSync(record, damaged);
        if (text !== "one") expect(store().covers(repo, [item(file, text)])).toBe(false);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it("loses no entry when processes write at the same time", async () => {
    const folders = Array.from({ length: 12 }, (_, at) => dirname(write(`repo${at}/a`)));
    const module = join(import.meta.dirname, "store.ts");
    const run = (folder: string) =>
      new Promise<void>((resolve) => {
        const code = `(await import(${JSON.stringify(module)})).openTrustStore(${JSON.stringify(home())}).trust(${JSON.stringify(folder)}, [])`;
        spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "inherit" }).once("exit", () =>
          resolve(),
        );
      });
    await Promise.all(folders.map(run));
    expect(
      store()
        .list()
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...folders].sort());
  });

  it("moves the store of an earlier version once, so that a revoked folder stays revoked", () => {
    const repo = join(root, "repo");
    const file = write("repo/lsp.json", "one");
    const old = write(
      "home/agent/trusted-projects.json",
      JSON.stringify({ folders: { [repo]: { files: { [file]: hashText("one") } } } }),
    );
    chmodSync(old, 0o600);
    expect(store().covers(repo, [item(file)])).toBe(true);
    expect(existsSync(old)).toBe(false);
    expect(store().revoke(repo)).toBe(true);
    expect(store().covers(repo, [item(file)])).toBe(false);
  });

  it("remembers that the user did not want to decide, for this content only", () => {
    const repo = join(root, "repo");
    const file = write("repo/lsp.json", "one");
    expect(store().isDismissed(repo, [item(file)])).toBe(false);
    store().dismiss(repo, [item(file)]);
    expect(store().isDismissed(repo, [item(file)])).toBe(true);
    expect(store().isDismissed(repo, [item(file, "two")])).toBe(false);
    expect(store().covers(repo, [item(file)])).toBe(false);
  });
});

describe("what a record covers", () => {
  function repository(path: string): string {
    const folder = join(root, path);
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "-q", "-b", "main");
    write(`${path}/lsp.json`, "one");
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "one");
    return folder;
  }

  it("includes the same content in a linked work tree, and not other content", () => {
    const repo = repository("repo");
    const lane = join(root, "lane");
    git(repo, "worktree", "add", "-q", "-b", "work", lane);
    store().trust(repo, [item(join(repo, "lsp.json"))]);
    expect(store().covers(lane, [item(join(lane, "lsp.json"))])).toBe(true);
    expect(store().coveringFolder(lane)).toBe(repo);
    expect(store().find(lane)).toBeUndefined();
    write("lane/lsp.json", "two");
    expect(store().covers(lane, [item(join(lane, "lsp.json"))])).toBe(false);
    store().revoke(repo);
    write("lane/lsp.json", "one");
    expect(store().covers(lane, [item(join(lane, "lsp.json"))])).toBe(false);
  });

  it("excludes a folder that only claims to be a work tree of a trusted repository", () => {
    const repo = repository("repo");
    git(repo, "worktree", "add", "-q", "-b", "work", join(root, "lane"));
    store().trust(repo, [item(join(repo, "lsp.json"))]);
    const file = write("evil/lsp.json", "one");
    const link = readFileSync(join(root, "lane/.git"), "utf8");
    for (const text of [link, `gitdir: ${repo}/.git\n`, `gitdir: ${repo}/.git/worktrees\n`, "gitdir: ../repo/.git\n"]) {
      write("evil/.git", text);
      expect(store().covers(join(root, "evil"), [item(file)])).toBe(false);
    }
  });

  it("includes folders inside the checkout by their own path, and excludes nested repositories", () => {
    const repo = repository("repo");
    const inner = write("repo/packages/a/lsp.json", "inner");
    store().trust(repo, [item(join(repo, "lsp.json")), item(inner)]);
    expect(store().covers(dirname(inner), [item(inner)])).toBe(true);
    const nested = repository("repo/vendor/nested");
    store().trust(repo, [item(join(repo, "lsp.json")), item(join(nested, "lsp.json"))]);
    expect(store().covers(nested, [item(join(nested, "lsp.json"))])).toBe(false);
  });
});

describe("the hash of a command", () => {
  it("includes the files of the project that the command names", () => {
    const folder = dirname(write("repo/setup.sh", "echo one"));
    write("repo/tools/run.js", "1");
    write("repo/setup", "1");
    const hash = (line: string) => hashCommand(line, [line], folder);
    const lines = [
      "sh setup.sh",
      "sh ./setup.sh --fast",
      "sh 'setup.sh'",
      "node tools/run",
      "sh -e setup",
      "node --import=./tools/run.js",
      "a;. setup.sh",
    ];
    const before = lines.map(hash);
    expect(hash("npm ci")).toBe(hashText("npm ci"));
    write("repo/setup.sh", "echo two");
    write("repo/tools/run.js", "2");
    write("repo/setup", "2");
    lines.forEach((line, at) => {
      expect([line, hash(line)]).not.toEqual([line, before[at]]);
    });
    expect(hash("npm ci")).toBe(hashText("npm ci"));
  });

  it("does not include data, which the command may write itself", () => {
    const folder = dirname(write("repo/.env.example", "A=1"));
    const line = "cp .env.example .env && cat .env > built && npm ci";
    const before = hashCommand(line, [line], folder);
    for (const name of [".env", "built", ".env.example"]) write(`repo/${name}`, "changed");
    expect(hashCommand(line, [line], folder)).toBe(before);
  });

  it("does not read files outside of the project, and survives folders, FIFOs and long texts", () => {
    const folder = dirname(write("repo/a"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const line of ["cat /etc/hosts ../x", "cat pipe", "ls .", `echo ${"x ".repeat(5000)}`])
      expect(hashCommand(line, [line], folder)).toBe(hashText(line));
  });
});
