import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { HunkRange } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GitDaemon } from "../checkpoints/testing/git-daemon.ts";
import { splitHunks } from "./hunks.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const lines = (count: number, prefix = "line") =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at + 1}\n`).join("");

let daemon: GitDaemon;
afterEach(() => daemon.dispose());

/** Runs a shell script as one turn of the session's agent. */
async function turn(id: string | undefined, script: string): Promise<string> {
  writeFileSync(daemon.file("turn.log"), script);
  const text = "[[script:turn.log]] go";
  const before = id === undefined ? 0 : (await daemon.client.sessions.get(id)).turns;
  const session = id ?? (await daemon.session("scripted", text, { mode: "full-auto" })).id;
  if (id !== undefined) await daemon.client.sessions.send(id, { text });
  await daemon.waitUntil(session, ({ turns, state }) => turns === before + 1 && state === "idle");
  return session;
}

const turnsOf = async (id: string) => (await daemon.client.turns.list(id)).map((row) => row.turn);
const paths = ({ files }: { files: { path: string }[] }) => files.map(({ path }) => path);

describe("in a repository", () => {
  beforeEach(async () => {
    daemon = new GitDaemon();
    writeFileSync(daemon.file("a.txt"), lines(30));
    daemon.git("add", "-A");
    daemon.git("commit", "-q", "-m", "second");
    await daemon.start();
  });

  it("lists what changed against the base, since a turn and in a turn, also after commits of the agent", async () => {
    const id = await turn(
      undefined,
      "echo one > one.txt; git add -A; git -c user.name=x -c user.email=x@x commit -qm one",
    );
    await turn(id, "sed -i 's/^line 2$/LINE 2/' a.txt");
    const [first = "", second = ""] = await turnsOf(id);
    const whole = await daemon.client.changes.list(id);
    expect(whole).toMatchObject({
      files: [
        { path: "a.txt", kind: "update", additions: 1, deletions: 1 },
        { path: "one.txt", kind: "add", additions: 1, deletions: 0 },
      ],
      base: daemon.git("rev-parse", "HEAD~1"),
      total: { files: 2, additions: 2, deletions: 1 },
      live: false,
    });
    expect(paths(await daemon.client.changes.list(id, { from: second }))).toEqual(["a.txt"]);
    expect(paths(await daemon.client.changes.list(id, { from: first, to: first }))).toEqual(["one.txt"]);
    expect(paths(await daemon.client.changes.list(id, { from: "head" }))).toEqual(["a.txt"]);
    const { patch } = await daemon.client.changes.file(id, { path: "a.txt", from: whole.base, to: whole.to });
    expect(patch).toContain("-line 2\n+LINE 2\n");
    const refused = (query: object) => daemon.client.changes.list(id, query).catch((error) => error.code);
    expect(await refused({ from: "trn_none" })).toBe("no_such_turn");
    expect(await refused({ from: "main" })).toBe("invalid");
    expect(await refused({ from: "0".repeat(40) })).toBe("no_checkpoint");
    const outside = daemon.client.changes.file(id, { path: "../../etc/passwd" });
    await expect(outside).rejects.toMatchObject({ code: "invalid" });
  });

  it("discards files and single hunks, and the undo restores them", async () => {
    const id = await turn(undefined, "sed -i 's/^line 2$/LINE 2/;s/^line 28$/LINE 28/' a.txt; echo new > new.txt");
    const { base, to } = await daemon.client.changes.list(id);
    const { patch } = await daemon.client.changes.file(id, { path: "a.txt", from: base, to });
    const [, last] = splitHunks(patch).hunks.map(({ text, ...range }): HunkRange => range);
    const hunks = last ? [last] : [];
    await daemon.client.changes.discard(id, { paths: ["a.txt"], hunks, seen: to });
    expect(readFileSync(daemon.file("a.txt"), "utf8")).toBe(lines(30).replace("line 2\n", "LINE 2\n"));
    const again = daemon.client.changes.discard(id, { paths: ["a.txt"], hunks });
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    const stale = daemon.client.changes.discard(id, { paths: ["a.txt"], seen: to });
    await expect(stale).rejects.toMatchObject({ code: "conflict" });
    const { undo = "" } = await daemon.client.changes.discard(id, { paths: ["a.txt", "new.txt"] });
    expect((await daemon.client.changes.list(id)).files).toEqual([]);
    await daemon.client.turns.undo(id, undo);
    expect(paths(await daemon.client.changes.list(id))).toEqual(["a.txt", "new.txt"]);
    const notices = (await daemon.log(id)).flatMap(({ type, data }) => (type === "notice" ? [data.text] : []));
    expect(notices).toContain("2 files were restored: changes were discarded.");
  });

  it("comments follow their lines, resolve when the agent changes them, and survive a restart", async () => {
    const id = await turn(undefined, "sed -i 's/^line 20$/LINE 20/' a.txt");
    const { comments } = daemon.client;
    const added = await comments.add(id, { path: "a.txt", line: 20, side: "new", text: "Write it small." });
    expect(added).toMatchObject({ quote: "LINE 20", state: "open" });
    const removed = await comments.add(id, { path: "a.txt", line: 20, side: "old", text: "This was right." });
    expect(removed.quote).toBe("line 20");
    await comments.add(id, { id: "cmt_rest", path: "a.txt", line: 25, endLine: 26, text: "Fine." });
    writeFileSync(daemon.file("a.txt"), `first\n${readFileSync(daemon.file("a.txt"), "utf8")}`);
    expect((await comments.list(id)).map(({ line, state }) => [line, state])).toEqual([
      [21, "open"],
      [20, "open"],
      [26, "open"],
    ]);
    await turn(id, "sed -i 's/^LINE 20$/line twenty/' a.txt");
    const sent = (await daemon.log(id)).findLast(({ type }) => type === "message.user");
    expect(sent?.data).toMatchObject({
      text: expect.stringContaining("`a.txt`, line 21:\n\n> LINE 20\n\nWrite it small."),
    });
    await vi.waitFor(async () => {
      const { comments: now = [] } = await daemon.client.sessions.get(id);
      expect(now.map(({ state, reason }) => [state, reason])).toEqual([
        ["resolved", "changed"],
        ["resolved", "changed"],
        ["sent", undefined],
      ]);
    });
    const before = await comments.list(id);
    await daemon.stop();
    await daemon.start();
    expect(await daemon.client.comments.list(id)).toEqual(before);
    await daemon.client.comments.edit(id, "cmt_rest", { text: "Not fine.", state: "open" });
    await daemon.client.comments.remove(id, added.comment);
    expect((await daemon.client.comments.list(id)).map(({ text, state }) => [text, state])).toEqual([
      ["This was right.", "resolved"],
      ["Not fine.", "open"],
    ]);
  });

  it("refuses comments on lines that do not exist, and repeats one with the same id", async () => {
    const id = await turn(undefined, "echo new > new.txt");
    const { comments } = daemon.client;
    const refused = (body: Parameters<typeof comments.add>[1]) => comments.add(id, body).catch((error) => error.code);
    expect(await refused({ path: "new.txt", line: 2, text: "x" })).toBe("invalid");
    expect(await refused({ path: "none.txt", line: 1, text: "x" })).toBe("invalid");
    expect(await refused({ path: "../x", line: 1, text: "x" })).toBe("invalid");
    expect(await refused({ path: "new.txt", line: 1, side: "old", text: "x" })).toBe("invalid");
    const body = { id: "cmt_one", path: "new.txt", line: 1, text: "x" };
    expect(await comments.add(id, body)).toEqual(await comments.add(id, body));
    expect(await refused({ ...body, text: "y" })).toBe("conflict");
    await expect(comments.edit(id, "cmt_none", { text: "y" })).rejects.toMatchObject({ code: "no_such_comment" });
    writeFileSync(daemon.file("new.txt"), "other\n");
    expect(await comments.list(id)).toMatchObject([{ state: "open", outdated: true, quote: "new" }]);
  });

  it("commits selected files or all, with a suggested message, and pushes", async () => {
    const id = await turn(undefined, "echo one > one.txt; echo two > two.txt; rm a.txt");
    await daemon.client.sessions.patch(id, { title: "Sort the files." });
    daemon.git("config", "user.name", "Test");
    daemon.git("config", "user.email", "test@localhost");
    const plan = await daemon.client.changes.commitPlan(id);
    expect(plan).toMatchObject({ branch: "main", changes: 3, remotes: [], unpushed: 0 });
    expect(plan.message.split("\n")[0]).toBe("Sort the files");
    const first = await daemon.client.changes.commit(id, { paths: ["one.txt", "a.txt"], message: "Some" });
    expect(paths(first)).toEqual(["a.txt", "one.txt"]);
    expect(daemon.git("status", "--porcelain")).toBe("?? two.txt");
    mkdirSync(daemon.file("remote.log"));
    daemon.git("init", "-q", "--bare", "remote.log");
    daemon.git("remote", "add", "origin", daemon.file("remote.log"));
    await daemon.client.call("putTrust", { body: { path: daemon.cwd } });
    const second = await daemon.client.changes.commit(id, { all: true, push: true });
    expect(second).toMatchObject({ message: expect.stringMatching(/^Sort the files/), pushed: "origin", notices: [] });
    expect(daemon.git("rev-parse", "origin/main")).toBe(second.commit);
    const pushed = { against: "origin/main", ahead: 0, behind: 0 };
    expect(await daemon.client.changes.commitPlan(id)).toMatchObject(pushed);
    daemon.git("reset", "-q", "--hard", "HEAD~1");
    daemon.git("-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", "Empty");
    expect(await daemon.client.changes.commitPlan(id)).toMatchObject({ ...pushed, ahead: 1, behind: 1 });
    daemon.git("reset", "-q", "--hard", second.commit);
    const refused = (body: Parameters<typeof daemon.client.changes.commit>[1]) =>
      daemon.client.changes.commit(id, body).catch((error) => error.code);
    expect(await refused({ all: true })).toBe("conflict");
    expect(await refused({})).toBe("invalid");
    expect(await refused({ paths: ["../x"] })).toBe("invalid");
    const same = daemon.client.changes.openPullRequest(id);
    await expect(same).rejects.toMatchObject({ code: "unsupported", message: expect.stringContaining("main") });
    daemon.git("switch", "-q", "-c", "topic");
    const { pr, into } = await daemon.client.changes.openPullRequest(id);
    expect({ pr, into }).toMatchObject({ pr: { remote: "origin", branch: "topic" }, into: "main" });
    expect(daemon.git("rev-parse", "origin/topic")).toBe(second.commit);
  });
});

it("gives a truthful answer outside a repository, where comments still work", async () => {
  daemon = new GitDaemon({ plain: true });
  writeFileSync(daemon.file("a.txt"), lines(9));
  await daemon.start();
  const id = await turn(undefined, "sed -i 's/^line 2$/LINE 2/' a.txt");
  const { client } = daemon;
  await expect(client.changes.list(id)).rejects.toMatchObject({
    code: "no_checkpoint",
    message: expect.stringContaining("not in a git repository"),
  });
  await expect(client.changes.commit(id, { all: true })).rejects.toMatchObject({ code: "not_a_repository" });
  expect(await client.comments.add(id, { path: "a.txt", line: 2, text: "Small." })).toMatchObject({ quote: "LINE 2" });
  await expect(client.comments.add(id, { path: "../token", line: 1, text: "x" })).rejects.toMatchObject({
    code: "invalid",
  });
  await turn(id, "sed -i 's/^LINE 2$/line two/' a.txt");
  await vi.waitFor(async () => expect(await client.comments.list(id)).toMatchObject([{ state: "resolved" }]));
});
