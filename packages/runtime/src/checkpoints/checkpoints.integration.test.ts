import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TurnRow } from "@gantry/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GitDaemon } from "./testing/git-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

const open: GitDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(): Promise<GitDaemon> {
  const daemon = new GitDaemon();
  open.push(daemon);
  await daemon.start();
  return daemon;
}

describe.each(["scripted", "claude", "codex"])("turns of the fake %s agent in a repository", (agent) => {
  it("have exact diffs and can be reverted", async () => {
    const daemon = await startDaemon();
    const status = daemon.git("status", "--porcelain");
    writeFileSync(daemon.file("mine.txt"), "before the turn\n");
    const { id } = await daemon.session(agent, "[[bash]] go", { mode: "full-auto" });
    await daemon.waitForIdle(id);
    const [first] = await daemon.diffsOf(id, 1);
    expect(first?.data.files).toMatchObject([{ path: "bash.txt", kind: "add", additions: 1, deletions: 0 }]);
    const log = await daemon.log(id);
    const begun = log.findIndex((event) => event.type === "diff.updated" && event.data.before && !event.data.after);
    const worked = log.findIndex((event) => event.type === "tool.started");
    expect(begun).toBeGreaterThan(-1);
    expect(begun).toBeLessThan(worked);

    writeFileSync(daemon.file("mine.txt"), "between the turns\n");
    await daemon.client.sessions.send(id, { text: "[[edit]] go" });
    await daemon.waitForIdle(id);
    const [, second] = await daemon.diffsOf(id, 2);
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
    expect(existsSync(daemon.file("bash.txt"))).toBe(true);
    const done = await daemon.client.call("revertTurn", { params: { id, turn } });
    expect(done).toMatchObject({ done: true });
    expect(existsSync(daemon.file("bash.txt"))).toBe(false);
    expect(readFileSync(daemon.file("mine.txt"), "utf8")).toBe("between the turns\n");
    const undone = await daemon.client.call("undoRevert", { params: { id, revert: done.undo ?? "" } });
    expect(undone.done).toBe(true);
    expect(readFileSync(daemon.file("bash.txt"), "utf8")).toBe("hi-from-bash\n");
    const reverts = (await daemon.diffs(id)).filter(({ data }) => data.revert);
    expect(reverts.map(({ data }) => data.files.map(({ kind }) => kind))).toEqual([["delete"], ["add"]]);
    expect(daemon.git("status", "--porcelain")).not.toBe(status);
    expect(daemon.git("diff", "--cached")).toBe("");
  });
});

/** A session with two turns, each of which changes a file. */
async function twoTurns(daemon: GitDaemon, agent: string): Promise<{ id: string; turns: TurnRow[] }> {
  const { id } = await daemon.session(agent, "[[bash]] first", { mode: "full-auto" });
  await daemon.waitForIdle(id);
  await daemon.client.sessions.send(id, { text: "[[edit]] second" });
  await daemon.waitForIdle(id);
  await daemon.diffsOf(id, 2);
  return { id, turns: (await daemon.client.call("listTurns", { params: { id } })).turns };
}

/** The prompt with this text that an agent received, from its stored conversation. */
function promptWith(daemon: GitDaemon, part: string): string {
  const files = readdirSync(daemon.home, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  const texts = files.map((name) => readFileSync(join(daemon.home, name), "utf8"));
  return texts.find((text) => text.includes('"turns"') && text.includes(part)) ?? "";
}

describe("a fork", () => {
  it("at an earlier turn has the conversation up to it, with any agent, and can have its files", async () => {
    const daemon = await startDaemon();
    const { id, turns } = await twoTurns(daemon, "codex");
    const body = { at: turns[0]?.seq, agent: "claude", files: "here" as const };
    const fork = await daemon.client.call("forkSession", { params: { id }, body });
    expect(fork).toMatchObject({ parent: id, agent: "claude", forkedAt: turns[0]?.endSeq, cwd: daemon.cwd });
    expect(existsSync(daemon.file("edit.txt"))).toBe(false);
    expect(existsSync(daemon.file("bash.txt"))).toBe(true);
    await daemon.client.sessions.send(fork.id, { text: "[[text]] continue" });
    await daemon.waitUntil(fork.id, (session) => session.turns === 1 && session.state === "idle");
    const asked = promptWith(daemon, "[[text]] continue");
    expect(asked).toContain("[[bash]] first");
    expect(asked).not.toContain("[[edit]] second");
    // Undo restores the files from before the fork.
    const revert = (await daemon.diffs(fork.id)).find(({ data }) => data.revert)?.data.revert?.undo ?? "";
    await daemon.client.call("undoRevert", { params: { id: fork.id, revert }, body: { force: true } });
    expect(existsSync(daemon.file("edit.txt"))).toBe(true);
  });

  it("has the files of its turn in a new lane: committed, changed, untracked and deleted", async () => {
    const daemon = await startDaemon();
    const { id, turns } = await twoTurns(daemon, "scripted");
    rmSync(daemon.file("README.md"));
    writeFileSync(daemon.file("later.txt"), "after both turns");
    const before = daemon.git("status", "--porcelain");
    const fork = await daemon.client.turns.fork(id, { at: turns[0]?.seq, id: "ses_forked" });
    expect(fork).toMatchObject({ id: "ses_forked", parent: id, lane: expect.stringMatching(/^lan_/) });
    expect(fork.cwd).not.toBe(daemon.cwd);
    expect(daemon.gitIn(fork.cwd, "status", "--porcelain")).toBe("?? bash.txt");
    expect(readFileSync(join(fork.cwd, "bash.txt"), "utf8")).toBe("hi-from-bash\n");
    expect(daemon.gitIn(fork.cwd, "rev-parse", "HEAD")).toBe(daemon.git("rev-parse", "HEAD"));
    expect(daemon.git("status", "--porcelain")).toBe(before);
    expect(await daemon.client.turns.fork(id, { at: turns[0]?.seq, id: "ses_forked" })).toMatchObject({
      cwd: fork.cwd,
    });
    await daemon.client.sessions.send(fork.id, { text: "[[edit]] there" });
    await daemon.waitUntil(fork.id, (session) => session.turns === 1 && session.state === "idle");
    const [there] = await daemon.diffsOf(fork.id, 1);
    expect(there?.data.files).toMatchObject([{ path: "edit.txt", kind: "add" }]);
    // The diff stays readable after the lane is removed.
    await daemon.client.call("removeLane", { params: { id: fork.lane ?? "" }, query: { force: "1" } });
    const seen = await daemon.client.turns.diff(fork.id, there?.turn ?? "");
    expect(seen).toMatchObject({ live: false, files: [{ path: "edit.txt" }] });
    const gone = daemon.client.turns.revert(fork.id, there?.turn ?? "");
    await expect(gone).rejects.toMatchObject({
      code: "no_checkpoint",
      message: expect.stringContaining("no longer exists"),
    });
  });

  it("at the end is native if the agent supports it, and a fork of a fork has the whole history", async () => {
    const daemon = await startDaemon();
    const { id, turns } = await twoTurns(daemon, "claude");
    const native = await daemon.client.call("forkSession", { params: { id }, body: { files: "none" } });
    expect(Object.keys(native.handles)).toHaveLength(1);
    const at = turns[0]?.endSeq;
    const first = await daemon.client.call("forkSession", {
      params: { id },
      body: { at, agent: "scripted", files: "none" },
    });
    await daemon.client.sessions.send(first.id, { text: "[[say:in the middle]]" });
    await daemon.waitUntil(first.id, (session) => session.turns === 1 && session.state === "idle");
    const second = await daemon.client.call("forkSession", {
      params: { id: first.id },
      body: { agent: "codex", files: "none" },
    });
    await daemon.client.sessions.send(second.id, { text: "[[text]] last" });
    await daemon.waitUntil(second.id, (session) => session.turns === 1 && session.state === "idle");
    const asked = promptWith(daemon, "[[text]] last");
    for (const text of ["[[bash]] first", "in the middle", "[[text]] last"]) expect(asked).toContain(text);
    expect(asked).not.toContain("[[edit]] second");
  });

  it("refuses an invalid fork and changes nothing", async () => {
    const daemon = await startDaemon();
    const empty = await daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd });
    const fork = (id: string, body: object) => daemon.client.call("forkSession", { params: { id }, body });
    await expect(fork(empty.id, {})).rejects.toMatchObject({ code: "unsupported" });
    await expect(fork(empty.id, { at: 4000 })).rejects.toMatchObject({ code: "invalid" });
    const { id } = await daemon.session("claude", "[[bashslow]]", { mode: "full-auto" });
    await vi.waitFor(() => expect(existsSync(daemon.file("started.txt"))).toBe(true), { timeout: 60_000 });
    await expect(fork(id, {})).rejects.toMatchObject({ code: "turn_running" });
    const { sessions } = await daemon.client.sessions.list();
    expect(sessions).toHaveLength(2);
    const { turns } = await daemon.client.call("listTurns", { params: { id } });
    const turn = turns[0]?.turn ?? "";
    const live = await daemon.client.call("turnDiff", { params: { id, turn } });
    expect(live).toMatchObject({ live: true, files: [{ path: "started.txt", kind: "add" }] });
    await expect(daemon.client.call("revertTurn", { params: { id, turn } })).rejects.toMatchObject({
      code: "no_checkpoint",
    });
    await daemon.client.sessions.interrupt(id);
    await daemon.waitForIdle(id);
    const [ended] = await daemon.diffsOf(id, 1);
    expect(ended?.data.files).toMatchObject([{ path: "started.txt" }]);
  });
});
