import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Line } from "../framing/lines.ts";
import { openStore } from "../log/sqlite/open.ts";
import { killed } from "./exit.ts";
import { FifoWriter } from "./fifo.ts";
import { isAlive, members } from "./identity.ts";
import type { Launched } from "./launcher.ts";
import { Ledger } from "./ledger.ts";
import { Spool } from "./spool.ts";
import { stop } from "./stop.ts";
import { Tail } from "./tail.ts";
import { exitOfDir, files, outputOf, playground, waitUntil } from "./testing/playground.ts";

const { agent, home } = playground();
const parents: ChildProcess[] = [];
const agents: Launched[] = [];

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill("SIGKILL");
  for (const target of agents.splice(0)) await stop(target, { graceMs: 0 });
});

function newLedger() {
  const store = openStore(join(home(), "gantry.db"));
  return { ledger: new Ledger(store.processes), store };
}

const plan = ({ id, dir }: Launched, session = "ses_a") => ({
  id,
  session,
  agent: "test",
  bin: "/bin/sh",
  cwd: "/",
  dir,
});

async function parent(code: string): Promise<{ parent: ChildProcess; launched: Launched }> {
  const id = `prc_parent${process.pid}x${parents.length}${Date.now()}`;
  const { dir } = new Spool(home()).create("ses_a", id);
  const script = join(import.meta.dirname, "testing/parent.ts");
  const child = spawn(process.execPath, [script, dir, id, code], { stdio: ["ignore", "pipe", "inherit"] });
  parents.push(child);
  const [line] = await once(child.stdout!, "data");
  const launched = JSON.parse(String(line)) as Launched;
  agents.push(launched);
  return { parent: child, launched };
}

describe("an agent whose daemon was killed", () => {
  it("continues, and the next daemon reads from the last offset and writes to it", async () => {
    const code = 'i=0; while :; do i=$((i+1)); echo "line $i"; read -r word; echo "got $word"; done';
    const { parent: first, launched } = await parent(code);
    const { in: fifo, out } = files(launched.dir);
    await waitUntil(() => outputOf(launched.dir) === "line 1\n", "first line");
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(isAlive(launched)).toBe(true);

    const seen: Line[] = [];
    const onLines = (lines: Line[]) => void seen.push(...lines);
    const tail = new Tail({ path: out, offset: "line 1\n".length, onLines, onError: () => {} });
    tail.start();
    expect(await new FifoWriter({ path: fifo }).writeFrame("again\n")).toEqual({ ok: true });
    await waitUntil(() => seen.length === 2, "the answer");
    expect(seen.map((line) => line.kind === "line" && line.text)).toEqual(["got again", "line 2"]);
    tail.stop();
  });
});

describe("Ledger", () => {
  it("adopts running processes, and closes ended ones with their status and killed ones as killed", async () => {
    const { ledger } = newLedger();
    const running = await agent("exec sleep 1000");
    const ended = await agent("exit 3");
    const shot = await agent("exec sleep 1000");
    for (const target of [running, ended, shot]) {
      ledger.record(plan(target));
      ledger.recordStart(target);
    }
    await exitOfDir(ended.dir);
    process.kill(-shot.pgid, "SIGKILL");
    await waitUntil(() => ![ended, shot].some((target) => isAlive(target)), "ends");
    const { adopted, closed, reaped } = await ledger.reconcile(() => true);
    expect(adopted.map(({ id, pid }) => [id, pid])).toEqual([[running.id, running.pid]]);
    expect(closed.map(({ row, exit }) => [row.id, exit])).toEqual([
      [ended.id, { code: 3, signal: null }],
      [shot.id, killed],
    ]);
    expect(reaped).toEqual([]);
    expect(ledger.listOpen().map((row) => row.id)).toEqual([running.id]);
  });

  it("finds a process that was started just before the crash", async () => {
    const { ledger, store } = newLedger();
    const target = await agent("exec sleep 1000");
    ledger.record(plan(target));
    const { adopted } = await ledger.reconcile(() => true);
    expect(adopted).toMatchObject([{ id: target.id, pid: target.pid, startedAt: target.startedAt }]);
    expect(store.processes.get(target.id)).toMatchObject({ pid: target.pid, pgid: target.pgid });
  });

  it("closes a process that was recorded and never started", async () => {
    const { ledger } = newLedger();
    const dir = home();
    ledger.record({ id: "prc_never", session: "ses_a", agent: "test", bin: "x", cwd: "/", dir });
    const { closed } = await ledger.reconcile(() => true);
    expect(closed).toMatchObject([{ row: { id: "prc_never" }, exit: killed }]);
    expect(ledger.listOpen()).toEqual([]);
  });

  it("kills and removes agents of deleted sessions", async () => {
    const { ledger, store } = newLedger();
    const target = await agent("trap '' TERM; echo up; while :; do sleep 1000; done");
    await waitUntil(() => outputOf(target.dir) === "up\n", "start");
    ledger.record(plan(target, "ses_gone"));
    ledger.recordStart(target);
    const { adopted, reaped } = await ledger.reconcile((session) => session !== "ses_gone");
    expect(adopted).toEqual([]);
    expect(reaped).toEqual([{ process: target.id, count: 1 }]);
    expect(members(target.pgid, target.id)).toEqual([]);
    expect(store.processes.all()).toEqual([]);
  });

  it("kills orphans of an ended agent and no unknown process", async () => {
    const { ledger } = newLedger();
    const known = await agent("setsid sleep 1000 & exit 0");
    const foreign = await agent("setsid sleep 1000 & exit 0");
    for (const { dir, ...target } of [known, foreign]) {
      await exitOfDir(dir);
      await waitUntil(() => members(target.pgid, target.id).some((one) => one.pgid === one.pid), "a stray");
    }
    ledger.record(plan(known));
    ledger.recordStart(known);
    ledger.recordEnd(known.id, { code: 0, signal: null });
    const { reaped } = await ledger.reconcile(() => true);
    expect(reaped).toEqual([{ process: known.id, count: 1 }]);
    expect(members(known.pgid, known.id)).toEqual([]);
    expect(members(foreign.pgid, foreign.id).length).toBe(1);
  });
});
