import { rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GitDaemon } from "../checkpoints/testing/git-daemon.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let daemon: GitDaemon;
beforeEach(async () => {
  daemon = new GitDaemon();
  await daemon.start();
});
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

it("shows the session after each event, with the checkpoint of its files", async () => {
  const id = await turn(undefined, "echo one > one.txt");
  await turn(id, "echo two > two.txt");
  await daemon.diffsOf(id, 2);
  const [first, second] = await daemon.client.turns.list(id);
  const log = await daemon.log(id);
  for (const { seq, type } of log) {
    const past = await daemon.client.sessions.at(id, seq);
    expect(past).toMatchObject({ id, lastSeq: seq, moment: { seq, type, end: log.length } });
  }
  const created = await daemon.client.sessions.at(id, 1);
  expect(created).toMatchObject({ turns: 0, state: "idle" });
  expect(created.checkpoint).toEqual({
    commit: first?.checkpoint.before,
    turn: first?.turn,
    side: "before",
    exact: true,
  });
  const running = await daemon.client.sessions.at(id, second?.seq ?? 0);
  expect(running).toMatchObject({ state: "running", turn: { id: second?.turn } });
  expect(running.checkpoint).toMatchObject({ commit: second?.checkpoint.before, side: "before", exact: false });
  const ended = await daemon.client.sessions.at(id, first?.endSeq ?? 0);
  expect(ended).toMatchObject({ state: "idle", turns: 1, moment: { turn: first?.turn } });
  expect(ended.checkpoint).toMatchObject({ commit: first?.checkpoint.after, side: "after", exact: true });
  const { files } = await daemon.client.changes.list(id, { from: "session", to: ended.checkpoint?.commit });
  expect(files.map(({ path }) => path)).toEqual(["one.txt"]);
  const now = await daemon.client.sessions.get(id);
  const end = await daemon.client.sessions.at(id, log.length);
  expect(end).toMatchObject({ state: now.state, turns: 2, usage: now.usage, title: now.title });
});

it("shows an approval as pending until it was answered", async () => {
  const { id } = await daemon.session("scripted", "[[write]]", { mode: "ask" });
  const { inputs } = await daemon.waitUntil(id, ({ state }) => state === "waiting");
  await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
  await daemon.waitUntil(id, ({ state, turns }) => state === "idle" && turns === 1);
  const log = await daemon.log(id);
  const requested = log.find(({ type }) => type === "input.requested")?.seq ?? 0;
  const resolved = log.find(({ type }) => type === "input.resolved")?.seq ?? 0;
  const inputsAt = async (seq: number) => (await daemon.client.sessions.at(id, seq)).inputs.map((input) => input.id);
  expect(await inputsAt(requested - 1)).toEqual([]);
  expect(await inputsAt(requested)).toEqual([inputs[0]?.id]);
  expect(await inputsAt(resolved - 1)).toEqual([inputs[0]?.id]);
  expect(await inputsAt(resolved)).toEqual([]);
});

it("refuses events that do not exist, and works without git", async () => {
  const id = await turn(undefined, "echo one > one.txt");
  const refused = (session: string, seq: number) =>
    daemon.client.sessions.at(session, seq).catch(({ code }: { code: string }) => code);
  expect(await refused(id, 10_000)).toBe("no_such_event");
  expect(await refused(id, 0)).toBe("no_such_event");
  expect(await refused(id, 1.5)).toBe("no_such_event");
  expect(await refused("ses_none", 1)).toBe("no_such_session");
  rmSync(daemon.file(".git"), { recursive: true });
  const past = await daemon.client.sessions.at(id, 2);
  expect(past.moment.seq).toBe(2);
  expect(past.checkpoint).toBeUndefined();
});
