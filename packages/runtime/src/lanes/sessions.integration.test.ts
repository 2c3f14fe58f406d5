import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listProcesses } from "../process/identity.ts";
import { TestDaemon } from "../test-daemon.ts";
import { TestRepository } from "./testing/test-repository.ts";

const WAIT = { timeout: 15_000, interval: 20 };

let daemon: TestDaemon;
let repo: TestRepository;
beforeEach(async () => {
  repo = new TestRepository();
  daemon = await new TestDaemon({ config: "scribe: { agent: scripted }" }).start();
});
afterEach(async () => {
  await daemon.dispose();
  repo.remove();
});

/** Waits until the marked process runs and its environment can be read. */
const environmentOf = async (marker: string): Promise<Record<string, string>> => {
  const entries = await vi.waitFor(() => {
    const pid = listProcesses().find((process) => process.marker === marker)?.pid;
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  }, WAIT);
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
};

it("runs a session in a lane by name or id, with its ports, and assigns sessions in its folder to it", async () => {
  const { client } = daemon;
  const lane = await client.lanes.create({ cwd: repo.path, name: "One" });
  const session = await client.sessions.create({
    agent: "scripted",
    lane: "one",
    cwd: repo.path,
    prompt: "[[text]] hi",
  });
  expect(session).toMatchObject({ cwd: lane.path, lane: lane.id });
  const inside = await client.sessions.create({ agent: "scripted", cwd: lane.path });
  expect(inside.lane).toBe(lane.id);
  await daemon.waitForIdle(session.id);
  expect((await client.lanes.get(lane.id)).sessions.toSorted()).toEqual([session.id, inside.id].toSorted());
  expect(await client.lanes.ofSession(session.id)).toMatchObject({ id: lane.id });
  const agent = await vi.waitFor(() => {
    const marked = listProcesses().filter(({ marker }) => marker?.startsWith("prc_"));
    const found = marked.find(({ pid }) =>
      readFileSync(`/proc/${pid}/environ`, "utf8").includes(`GANTRY_LANE=${lane.id}`),
    );
    if (!found?.marker) throw new Error("no process runs in the lane yet");
    return found.marker;
  }, WAIT);
  expect(await environmentOf(agent)).toMatchObject({
    GANTRY_LANE_PATH: lane.path,
    GANTRY_PORT: `${lane.ports?.start}`,
    GANTRY_PORT_END: `${lane.ports?.end}`,
  });
  const terminal = await client.terminals.open({
    session: session.id,
    command: ["sh", "-c", "echo lane=$GANTRY_LANE; sleep 60"],
  });
  expect(await environmentOf(terminal.id)).toMatchObject({ GANTRY_LANE: lane.id });
  const primary = (await client.lanes.list({ cwd: repo.path })).lanes[0];
  expect(await client.sessions.create({ agent: "scripted", lane: primary?.id })).toMatchObject({ cwd: repo.path });
});

it("refuses an unknown lane and a name that two repositories use", async () => {
  const { client } = daemon;
  const other = new TestRepository();
  try {
    await client.lanes.create({ cwd: repo.path, name: "same" });
    await client.lanes.create({ cwd: other.path, name: "same" });
    const start = (body: object) => client.sessions.create({ agent: "scripted", ...body });
    await expect(start({ lane: "none" })).rejects.toMatchObject({ code: "no_such_lane" });
    await expect(start({ lane: "same" })).rejects.toMatchObject({ code: "conflict" });
    await expect(start({ lane: "same", cwd: daemon.cwd })).rejects.toMatchObject({ code: "no_such_lane" });
    expect((await start({ lane: "same", cwd: other.path })).cwd).toContain("same");
  } finally {
    other.remove();
  }
});

it("fails turns of a session whose lane was removed, and resumes it after the lane is restored", async () => {
  const { client } = daemon;
  const lane = await client.lanes.create({ cwd: repo.path, name: "one" });
  const { id } = await client.sessions.create({ agent: "scripted", lane: lane.id, prompt: "[[text]] hi" });
  await daemon.waitForIdle(id);
  await client.lanes.remove(lane.id);
  expect(existsSync(lane.path)).toBe(false);
  await client.sessions.send(id, { text: "[[text]] again" });
  const failed = await daemon.waitUntil(id, ({ turns, turn }) => turns === 2 && !turn);
  expect(failed.lastTurn).toMatchObject({
    outcome: "failed",
    error: {
      message: expect.stringContaining("was removed"),
      remedy: expect.stringContaining(`gantry lanes undo ${lane.id}`),
    },
  });
  await expect(client.sessions.create({ agent: "scripted", lane: lane.id })).rejects.toMatchObject({
    code: "no_such_lane",
  });
  await client.lanes.undo(lane.id);
  await client.sessions.send(id, { text: "[[text]] third" });
  const back = await daemon.waitUntil(id, ({ turns, turn }) => turns === 3 && !turn);
  expect([back.lastTurn?.outcome, back.cwd]).toEqual(["completed", lane.path]);
});

it("refuses to remove a lane with a running turn; force interrupts the turn and ends its process", async () => {
  const { client } = daemon;
  const lane = await client.lanes.create({ cwd: repo.path, name: "one" });
  const { id } = await client.sessions.create({
    agent: "scripted",
    lane: lane.id,
    prompt: "[[ask]] wait",
    mode: "ask",
  });
  await daemon.waitUntil(id, ({ turn }) => turn !== undefined);
  await expect(client.lanes.remove(lane.id)).rejects.toMatchObject({
    code: "lane_in_use",
    message: expect.stringContaining(id),
  });
  expect((await client.lanes.remove(lane.id, true)).removed).toBe(true);
  expect((await client.sessions.get(id)).turn).toBeUndefined();
  expect(existsSync(join(lane.path))).toBe(false);
});

it("runs a session in a plain folder and reports why it has no lane", async () => {
  const { client } = daemon;
  const { id } = await daemon.session("scripted", "[[text]] hi");
  await daemon.waitForIdle(id);
  expect(await client.lanes.ofSession(id)).toMatchObject({
    kind: "primary",
    path: daemon.cwd,
    missing: [expect.stringContaining("not in a git repository")],
  });
});

it("renames a lane with the text helper in the background, unless a person named it", async () => {
  const { client } = daemon;
  const prompt = "Fix the lamp please now [[say:Lighthouse Lamp Repair]]";
  const lane = await client.lanes.create({ cwd: repo.path, prompt });
  expect(lane.name).toBe("fix-the-lamp-please");
  const mine = await client.lanes.create({ cwd: repo.path, prompt, name: "mine" });
  await expect
    .poll(async () => (await client.lanes.get(lane.id)).name, { timeout: 30_000 })
    .toBe("lighthouse-lamp-repair");
  expect(await client.lanes.get(lane.id)).toMatchObject({ branch: "gantry/lighthouse-lamp-repair", path: lane.path });
  expect((await client.lanes.get(mine.id)).name).toBe("mine");
});
