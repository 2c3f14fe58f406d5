import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { openStore } from "../../log/sqlite/open.ts";
import { TestDaemon } from "../../test-daemon.ts";
import { chooseEvictions, type PoolEntry } from "./process-pool.ts";

vi.setConfig({ testTimeout: 90_000 });

/** The rule as a loop: while there are too many, the longest idle process goes. */
function modelEvictions(entries: readonly PoolEntry[], max: number): string[] {
  const live = [...entries];
  const released: string[] = [];
  while (live.length > max) {
    const idle = live.filter(({ idleSince }) => idleSince !== undefined);
    const longest = idle.reduce<PoolEntry | undefined>(
      (first, entry) => ((entry.idleSince ?? 0) < (first?.idleSince ?? Infinity) ? entry : first),
      undefined,
    );
    if (!longest) break;
    live.splice(live.indexOf(longest), 1);
    released.push(longest.session);
  }
  return released;
}

it("releases the longest idle first, no more than needed, and never a busy process", () => {
  const times = fc.array(fc.option(fc.nat(1000), { nil: undefined }), { maxLength: 40 });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 30 }), (idle, max) => {
      const since = (time: number | undefined, index: number) => (time === undefined ? undefined : time * 100 + index);
      const entries = idle.map((time, index) => ({ session: `ses_${index}`, idleSince: since(time, index) }));
      expect(chooseEvictions(entries, max)).toEqual(modelEvictions(entries, max));
    }),
    { numRuns: 500 },
  );
});

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.dispose();
  daemon = undefined;
});

async function start(config: string): Promise<TestDaemon> {
  daemon = new TestDaemon({ config });
  return daemon.start();
}

const releases = async (id: string) =>
  ((await daemon?.log(id)) ?? []).flatMap((event) => (event.type === "process.released" ? [event.data.reason] : []));
const live = async () => (await daemon?.client.processes())?.processes.map(({ session }) => session);

it("releases idle processes above the limit and resumes them with the next message", async () => {
  const daemon = await start("processes: { max: 2 }");
  const busy = await daemon.session("scripted", "[[hang]] on");
  const first = await daemon.session("scripted", "[[text]] one");
  await daemon.waitForIdle(first.id);
  const { updatedAt } = await daemon.client.sessions.get(first.id);
  expect(await daemon.client.processes()).toMatchObject({
    max: 2,
    processes: [
      { session: first.id, state: "idle", idleSince: expect.any(String), releaseAt: expect.any(String) },
      { session: busy.id, agent: "scripted", pid: expect.any(Number) },
    ],
  });
  const second = await daemon.session("scripted", "[[text]] two");
  await daemon.waitForIdle(second.id);
  await expect.poll(live, { timeout: 30_000 }).toEqual([second.id, busy.id]);
  await expect.poll(() => releases(first.id), { timeout: 30_000 }).toEqual(["evicted"]);
  expect((await daemon.client.sessions.get(first.id)).updatedAt).toBe(updatedAt);
  await daemon.client.sessions.send(first.id, { text: "[[text]] again" });
  await daemon.waitUntil(first.id, ({ turns, turn }) => turns === 2 && !turn);
  await expect.poll(live, { timeout: 30_000 }).toEqual([first.id, busy.id]);
  expect(await releases(busy.id)).toEqual([]);
});

it("releases processes above the limit that were started together before any message", async () => {
  const daemon = await start("processes: { max: 1, warmUp: true }");
  const create = () => daemon.client.sessions.create({ agent: "scripted", cwd: daemon.cwd });
  const ids = (await Promise.all([create(), create(), create()])).map(({ id }) => id);
  const released = async () => (await Promise.all(ids.map(releases))).flat();
  await expect.poll(released, { timeout: 30_000 }).toEqual(["evicted", "evicted"]);
  expect(await live()).toHaveLength(1);
});

it("records why each process has ended", async () => {
  const daemon = await start("processes: { idleSeconds: { scripted: 0.3 } }");
  const { id } = await daemon.session("scripted", "[[text]] one");
  await expect.poll(() => releases(id), { timeout: 30_000 }).toEqual(["idle"]);
  await daemon.client.sessions.send(id, { text: "[[hang]] on" });
  await daemon.waitUntil(id, ({ turn }) => turn !== undefined);
  const process = async () => (await daemon.client.processes()).processes[0];
  await expect.poll(async () => (await process())?.state, { timeout: 30_000 }).toBe("busy");
  globalThis.process.kill((await process())?.pid ?? 0, "SIGKILL");
  await expect.poll(() => releases(id), { timeout: 30_000 }).toEqual(["idle", "crashed"]);
});

it("records no end of a process whose start the last daemon did not finish", async () => {
  const daemon = await start("");
  const { id } = await daemon.session("scripted", "[[slow:10:100]] one");
  await expect.poll(live, { timeout: 30_000 }).toEqual([id]);
  await daemon.stop("release");
  const home = join(daemon.home, "gantry");
  const store = openStore(join(home, "gantry.db"));
  const row = { session: id, agent: "scripted", bin: "agent", cwd: daemon.cwd, dir: join(home, "none") };
  store.processes.put({ ...row, id: "prc_unfinished", createdAt: new Date().toISOString() });
  store.commit({ session: id, events: [], spool: { process: "prc_unfinished", offset: 0, mark: "{}" } });
  store.close();
  await daemon.start();
  await daemon.waitForIdle(id);
  expect(await releases(id)).toEqual(["shutdown"]);
});

it("starts the process before the first message only if the setting is on", async () => {
  const daemon = await start("processes: { warmUp: true }");
  const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd: daemon.cwd });
  await expect.poll(live, { timeout: 30_000 }).toEqual([id]);
  await expect
    .poll(async () => (await daemon.client.processes()).processes[0]?.state, { timeout: 30_000 })
    .toBe("idle");
  expect(await daemon.client.sessions.warmUp(id)).toEqual({ warming: false });
  await daemon.client.sessions.send(id, { text: "[[text]] go" });
  await daemon.waitUntil(id, ({ turns, turn }) => turns === 1 && !turn);
  expect(await daemon.client.sessions.get(id)).toMatchObject({
    lastTurn: { outcome: "completed", ttftMs: expect.any(Number) },
  });
  await daemon.client.sessions.patch(id, { archived: true });
  await expect.poll(() => releases(id), { timeout: 30_000 }).toEqual(["closed"]);
  expect(await daemon.client.sessions.warmUp(id)).toEqual({ warming: false });
  await daemon.client.sessions.patch(id, { archived: false });
  await daemon.client.settings.change({ "processes.warmUp": false });
  expect(await daemon.client.sessions.warmUp(id)).toEqual({ warming: false });
  expect(await live()).toEqual([]);
});
