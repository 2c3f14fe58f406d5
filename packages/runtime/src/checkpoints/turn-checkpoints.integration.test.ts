import { existsSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GitDaemon } from "./testing/git-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

const PATIENCE = { timeout: 60_000, interval: 50 };
const open: GitDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(options: ConstructorParameters<typeof GitDaemon>[0] = {}): Promise<GitDaemon> {
  const daemon = new GitDaemon(options);
  open.push(daemon);
  await daemon.start();
  return daemon;
}

async function order(daemon: GitDaemon, id: string): Promise<string[]> {
  const log = await daemon.log(id);
  const shown = log.filter(({ type }) => ["turn.started", "diff.updated", "tool.started", "turn.ended"].includes(type));
  return shown.map(({ type, data }) => (type === "diff.updated" ? (data.after ? "after" : "before") : type));
}

describe("the prompt", () => {
  it.each(["codex", "claude", "scripted"])(
    "of the fake %s agent waits for the checkpoint, its process does not",
    async (agent) => {
      const daemon = await startDaemon();
      daemon.block();
      const { id } = await daemon.session(agent, "[[touch]] go", { mode: "full-auto" });
      // The conversation is open, so only the prompt is missing.
      if (agent !== "claude") await daemon.waitUntil(id, (session) => Object.keys(session.handles).length > 0);
      else await vi.waitFor(() => expect(daemon.agents()).toBeGreaterThan(0), PATIENCE);
      expect(existsSync(daemon.file("touched.txt"))).toBe(false);
      expect(await order(daemon, id)).toEqual(["turn.started"]);
      daemon.unblock();
      await daemon.waitForIdle(id);
      await daemon.diffsOf(id, 1);
      expect(await order(daemon, id)).toEqual(["turn.started", "before", "tool.started", "turn.ended", "after"]);
    },
  );

  it("waits no longer than the limit; the checkpoint of the turn's end is still stored", async () => {
    const daemon = await startDaemon({ config: "checkpoints: { seconds: 0.2 }\n" });
    daemon.block();
    const { id } = await daemon.session("codex", "[[touch]] go", { mode: "full-auto" });
    await daemon.waitForIdle(id);
    expect(await daemon.notices(id)).toEqual([expect.stringContaining("could not be saved within 0.2 s")]);
    daemon.unblock();
    const turns = await vi.waitFor(async () => {
      const all = await daemon.client.turns.list(id);
      expect(all[0]?.checkpoint.after).toBeDefined();
      return all;
    }, PATIENCE);
    expect(turns[0]?.checkpoint.before).toBeUndefined();
    const diff = daemon.client.turns.diff(id, turns[0]?.turn ?? "");
    await expect(diff).rejects.toMatchObject({ code: "no_checkpoint" });
  });

  it("stops waiting after repeated late checkpoints and publishes a remedy", async () => {
    const daemon = await startDaemon({ config: "checkpoints: { seconds: 0.2 }\n" });
    const { id } = await daemon.session("codex", "[[text]] first");
    await daemon.waitForIdle(id);
    daemon.block();
    for (const turns of [2, 3, 4]) {
      await daemon.client.sessions.send(id, { text: "[[text]] again" });
      await daemon.waitUntil(id, (session) => session.turns === turns && session.state === "idle");
    }
    const notices = (await daemon.notices(id)).slice(-3);
    expect(notices.map((text) => /2 times in a row.*\.gitignore/.test(text))).toEqual([false, false, true]);
    daemon.unblock();
  });

  it("does not wait outside a git repository, and the session gets one notice", async () => {
    const daemon = await startDaemon({ plain: true });
    daemon.block();
    const { id } = await daemon.session("codex", "[[touch]] go", { mode: "full-auto" });
    await daemon.waitForIdle(id);
    await daemon.client.sessions.send(id, { text: "[[text]] again" });
    await daemon.waitUntil(id, (session) => session.turns === 2 && session.state === "idle");
    expect(await daemon.notices(id)).toEqual([expect.stringContaining("git init")]);
    expect(await daemon.client.turns.list(id)).toMatchObject([{ checkpoint: {} }, { checkpoint: {} }]);
  });

  it("is sent without a checkpoint if there are too many files, until they are ignored", async () => {
    const daemon = await startDaemon({ config: "checkpoints: { untrackedFiles: 3 }\n" });
    for (let i = 0; i < 9; i++) writeFileSync(daemon.file(`heap-${i}`), "");
    const { id } = await daemon.session("codex", "[[text]] go", { mode: "full-auto" });
    await daemon.waitForIdle(id);
    expect(await daemon.notices(id)).toEqual([
      expect.stringMatching(/9 files .* neither tracks nor ignores.*\.gitignore/),
    ]);
    writeFileSync(daemon.file(".gitignore"), "heap-*\n");
    await daemon.client.sessions.send(id, { text: "[[touch]] again" });
    expect((await daemon.diffsOf(id, 1))[0]?.data.files).toMatchObject([{ path: "touched.txt" }]);
  });

  it("of a queued message reuses the checkpoint of the previous turn's end", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[bash]] one", { mode: "full-auto" });
    await daemon.client.sessions.send(id, { text: "[[edit]] two", delivery: "queue" });
    await daemon.waitUntil(id, (session) => session.turns === 2 && session.state === "idle");
    const [first, second] = await daemon.diffsOf(id, 2);
    expect(second?.data.before).toBe(first?.data.after);
    expect(second?.data.files.map(({ path }) => path)).toEqual(["edit.txt"]);
  });
});

describe("a daemon that stops", () => {
  it("during the first checkpoint of a turn lets the next daemon take it and send the prompt", async () => {
    const daemon = await startDaemon();
    daemon.block();
    const { id } = await daemon.session("codex", "[[touch]] go", { mode: "full-auto" });
    await daemon.waitUntil(id, (session) => Object.keys(session.handles).length > 0);
    await daemon.stop("keep");
    daemon.unblock();
    await daemon.start();
    await daemon.diffsOf(id, 1);
    expect(await order(daemon, id)).toEqual(["turn.started", "before", "tool.started", "turn.ended", "after"]);
  });

  it("during the last checkpoint of a turn lets the next daemon take it", async () => {
    const daemon = await startDaemon();
    const { id } = await daemon.session("scripted", "[[write]] go");
    const { inputs } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
    daemon.block();
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
    await daemon.waitForIdle(id);
    await daemon.stop("keep");
    daemon.unblock();
    await daemon.start();
    expect((await daemon.diffsOf(id, 1))[0]?.data.files).toMatchObject([{ path: "hello.txt", kind: "add" }]);
  });
});

it("lists sessions that work in the same folder at the same time", async () => {
  const daemon = await startDaemon();
  const long = await daemon.session("codex", "[[bashslow]] go", { mode: "full-auto" });
  await vi.waitFor(() => expect(existsSync(daemon.file("started.txt"))).toBe(true), PATIENCE);
  const short = await daemon.session("scripted", "[[touch]] go", { mode: "full-auto" });
  const [one] = await daemon.diffsOf(short.id, 1);
  expect(one?.data).toMatchObject({ shared: [long.id], files: [{ path: "touched.txt" }] });
  await daemon.client.sessions.interrupt(long.id);
  const [other] = await daemon.diffsOf(long.id, 1);
  expect(other?.data.shared).toEqual([short.id]);
  expect(other?.data.files.map(({ path }) => path)).toEqual(["started.txt", "touched.txt"]);
});

it("deletes the checkpoints of a deleted session, so that git can collect them", async () => {
  const daemon = await startDaemon();
  const { id } = await daemon.session("scripted", "[[touch]] go", { mode: "full-auto" });
  const [diff] = await daemon.diffsOf(id, 1);
  const commit = diff?.data.after ?? "";
  expect(daemon.refs()).toHaveLength(2);
  daemon.git("gc", "--quiet", "--prune=now");
  expect(daemon.git("cat-file", "-t", commit)).toBe("commit");
  await daemon.client.sessions.delete(id);
  expect(daemon.refs()).toEqual([]);
  daemon.git("gc", "--quiet", "--prune=now");
  expect(() => daemon.git("cat-file", "-t", commit)).toThrow();
});
