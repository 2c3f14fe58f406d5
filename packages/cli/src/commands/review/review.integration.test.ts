import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Comment, CommitPlan } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-review-")));
const cwd = join(home, "project");
const gantry = commandLine(home);
const SLOW = 180_000;
const run = (...args: string[]) => gantry(args, { cwd });
const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
}, SLOW);

test(
  "adds, lists, resolves and removes comments, and commits files",
  async () => {
    mkdirSync(cwd);
    git("init", "-q", "-b", "main");
    git("config", "user.name", "Test");
    git("config", "user.email", "test@localhost");
    writeFileSync(join(cwd, "README.md"), "hello\n");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    expect((await run("run", "-a", "scripted", "--mode", "full-auto", "[[edit]] go")).status).toBe(0);

    expect((await run("comments", "last")).stdout).toBe("No comments.\n");
    expect((await run("comments", "last", "add", "edit.txt:1", "Why", "so?")).stdout).toMatch(/^added cmt_/);
    expect((await run("comments", "last")).stdout).toMatch(/open +edit\.txt:1 +Why so\?/);
    const { comments } = JSON.parse((await run("comments", "last", "--json")).stdout) as { comments: Comment[] };
    const id = comments[0]?.comment ?? "";
    expect((await run("comments", "last", "resolve", id)).stdout).toBe(`${id} is resolved\n`);
    expect((await run("comments", "last", "edit", id, "Why?")).status).toBe(0);
    expect((await run("comments", "last", "rm", id)).stdout).toBe(`removed ${id}\n`);
    expect((await run("comments", "last", "add", "edit.txt", "x")).status).toBe(2);
    expect((await run("comments", "last", "shout", id)).status).toBe(2);

    const plan = JSON.parse((await run("commit", "last", "--dry-run", "--json")).stdout) as CommitPlan;
    expect(plan).toMatchObject({ branch: "main", changes: 1 });
    expect((await run("stage", "last")).stdout).toBe("Nothing is staged.\n");
    expect((await run("stage", "last", "edit.txt")).stdout).toBe("edit.txt\n");
    expect((await run("stage", "last", "--remove", "edit.txt")).stdout).toBe("Nothing is staged.\n");
    expect((await run("commit", "last", "--staged")).stderr).toContain("Nothing is staged");
    expect((await run("commit", "last", "edit.txt", "-m", "Add it")).stdout).toMatch(
      /^[0-9a-f]{10} Add it \(1 file on main\)/,
    );
    expect(git("log", "-1", "--format=%s")).toBe("Add it");
    expect((await run("commit", "last")).status).not.toBe(0);
  },
  SLOW,
);
