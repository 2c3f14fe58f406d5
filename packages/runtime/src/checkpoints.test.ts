import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@gantry/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { testGitEnvironment } from "./lanes/testing/test-repository.ts";
import { TestDaemon } from "./test-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, env: testGitEnvironment, encoding: "utf8" }).trim();
}

async function started(options: ConstructorParameters<typeof TestDaemon>[0] = {}, inGit = true): Promise<TestDaemon> {
  const daemon = new TestDaemon(options);
  open.push(daemon);
  if (inGit) {
    git(daemon.cwd, "init", "-q", "-b", "main");
    writeFileSync(join(daemon.cwd, "README.md"), "hello\n");
    writeFileSync(join(daemon.cwd, ".gitignore"), "*.log\n");
    git(daemon.cwd, "add", "-A");
    git(daemon.cwd, "commit", "-q", "-m", "first");
  }
  return daemon.start();
}

type Diff = Envelope<"diff.updated">;

/** Our own events: those with commits. */
async function diffs(daemon: TestDaemon, id: string): Promise<Diff[]> {
  const log = await daemon.log(id);
  return log.filter((event): event is Diff => event.type === "diff.updated" && event.data.before !== undefined);
}

/** The diff of the n-th turn, once its end is kept. */
async function diffOf(daemon: TestDaemon, id: string, count: number): Promise<Diff[]> {
  return vi.waitFor(
    async () => {
      const all = (await diffs(daemon, id)).filter(({ data }) => data.after);
      expect(all.length).toBe(count);
      return all;
    },
    { timeout: 60_000, interval: 50 },
  );
}

const file = (daemon: TestDaemon, name: string) => join(daemon.cwd, name);

describe.each(["scripted", "claude", "codex"])("turns of the fake %s agent in a repository", (agent) => {
  it("have exact diffs, of what they changed and nothing else, and can be reverted", async () => {
    const daemon = await started();
    const status = git(daemon.cwd, "status", "--porcelain");
    writeFileSync(file(daemon, "mine.txt"), "before the turn\n");
    const { id } = await daemon.session(agent, "[[bash]] go", { mode: "full-auto" });
    await daemon.idle(id);
    const [first] = await diffOf(daemon, id, 1);
    expect(first?.data.files).toMatchObject([{ path: "bash.txt", kind: "add", additions: 1, deletions: 0 }]);
    const log = await daemon.log(id);
    const begun = log.findIndex((event) => event.type === "diff.updated" && event.data.before && !event.data.after);
    const worked = log.findIndex((event) => event.type === "tool.started");
    expect(begun).toBeGreaterThan(-1);
    expect(begun).toBeLessThan(worked);

    writeFileSync(file(daemon, "mine.txt"), "between the turns\n");
    await daemon.client.sessions.send(id, { text: "[[edit]] go" });
    await daemon.idle(id);
    const [, second] = await diffOf(daemon, id, 2);
    expect(second?.data.files.map(({ path }) => path)).toEqual(["edit.txt"]);

    const { turns } = await daemon.client.call("listTurns", { params: { id } });
    expect(turns.map(({ outcome, diff }) => [outcome, diff?.files])).toEqual([
      ["completed", 1],
      ["completed", 1],
    ]);
    expect(turns[0]?.checkpoint).toEqual({ before: first?.data.before, after: first?.data.after });
    const turn = turns[0]?.turn ?? "";
    const diff = await daemon.client.call("turnDiff", { params: { id, turn } });
    expect(diff).toMatchObject({ live: false, cut: false, files: first?.data.files });
    expect(diff.patch).toContain("+hi-from-bash");

    const dry = await daemon.client.call("revertTurn", { params: { id, turn }, body: { dry: true } });
    expect(dry).toEqual({
      turn,
      to: "before",
      done: false,
      files: [{ path: "bash.txt", action: "delete", conflict: false }],
    });
    expect(existsSync(file(daemon, "bash.txt"))).toBe(true);
    const done = await daemon.client.call("revertTurn", { params: { id, turn } });
    expect(done).toMatchObject({ done: true });
    expect(existsSync(file(daemon, "bash.txt"))).toBe(false);
    expect(readFileSync(file(daemon, "mine.txt"), "utf8")).toBe("between the turns\n");
    const undone = await daemon.client.call("undoRevert", { params: { id, revert: done.undo ?? "" } });
    expect(undone.done).toBe(true);
    expect(readFileSync(file(daemon, "bash.txt"), "utf8")).toBe("hi-from-bash\n");
    const reverts = (await diffs(daemon, id)).filter(({ data }) => data.revert);
    expect(reverts.map(({ data }) => data.files.map(({ kind }) => kind))).toEqual([["delete"], ["add"]]);
    expect(git(daemon.cwd, "status", "--porcelain")).not.toBe(status);
    expect(git(daemon.cwd, "diff", "--cached")).toBe("");
  });
});
